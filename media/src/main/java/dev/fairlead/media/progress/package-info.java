/** What a job has done so far: what is committed and published, counted and timed. */
@NullMarked
package dev.fairlead.media.progress;

import org.jspecify.annotations.NullMarked;
