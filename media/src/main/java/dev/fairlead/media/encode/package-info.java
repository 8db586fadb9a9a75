/** From pictures to the samples of a rung, checked. */
@NullMarked
package dev.fairlead.media.encode;

import org.jspecify.annotations.NullMarked;
