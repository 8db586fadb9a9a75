/** What is in a source. */
@NullMarked
package dev.fairlead.media.probe;

import org.jspecify.annotations.NullMarked;
