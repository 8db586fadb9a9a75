/** What the jobs of one process share: memory, places, and the events of all of them. */
@NullMarked
package dev.fairlead.media.host;

import org.jspecify.annotations.NullMarked;
