/** Which of a pool's devices decodes and encodes, with what, and where FFmpeg finds it. */
@NullMarked
package dev.fairlead.media.choice;

import org.jspecify.annotations.NullMarked;
