/** Encoders and what they promise about the streams they make. */
@NullMarked
package dev.fairlead.media.encode;

import org.jspecify.annotations.NullMarked;
