/** What streams say of themselves: parsers of headers, and the configuration that a file holds. */
@NullMarked
package dev.fairlead.media.codec;

import org.jspecify.annotations.NullMarked;
