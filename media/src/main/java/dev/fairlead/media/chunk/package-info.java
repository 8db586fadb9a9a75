/** Decoded pictures, one copy for all rungs, bounded by bytes. */
@NullMarked
package dev.fairlead.media.chunk;

import org.jspecify.annotations.NullMarked;
