/** A device at work: its threads, and the contexts that are open on it. Internal. */
@NullMarked
package dev.fairlead.run;

import org.jspecify.annotations.NullMarked;
