/** Files that players open: HLS with fragmented MP4, progressive MP4, WebVTT. Plain Java. */
@NullMarked
package dev.fairlead.media.pack;

import org.jspecify.annotations.NullMarked;
