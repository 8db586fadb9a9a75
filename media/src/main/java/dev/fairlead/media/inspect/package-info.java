/** Looks into a source. */
@NullMarked
package dev.fairlead.media.inspect;

import org.jspecify.annotations.NullMarked;
