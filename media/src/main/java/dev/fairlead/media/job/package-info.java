/** A whole transcode, from request to package. */
@NullMarked
package dev.fairlead.media.job;

import org.jspecify.annotations.NullMarked;
