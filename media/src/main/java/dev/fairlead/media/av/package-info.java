/** FFmpeg objects, each with one owner. */
@NullMarked
package dev.fairlead.media.av;

import org.jspecify.annotations.NullMarked;
