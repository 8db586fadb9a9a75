/** From a file to pictures and sound, once. */
@NullMarked
package dev.fairlead.media.decode;

import org.jspecify.annotations.NullMarked;
