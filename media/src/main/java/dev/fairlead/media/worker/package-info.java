/** The child process that holds codecs and frames, and the protocol between it and its parent. */
@NullMarked
package dev.fairlead.media.worker;

import org.jspecify.annotations.NullMarked;
