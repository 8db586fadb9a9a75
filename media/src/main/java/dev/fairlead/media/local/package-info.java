/** Transcodes on the devices of this machine. */
@NullMarked
package dev.fairlead.media.local;

import org.jspecify.annotations.NullMarked;
