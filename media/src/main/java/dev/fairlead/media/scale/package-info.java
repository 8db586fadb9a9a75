/** From a picture as it was decoded to one as a rung wants it. */
@NullMarked
package dev.fairlead.media.scale;

import org.jspecify.annotations.NullMarked;
