/** What is found out before the first chunk: memory, encoders that work, promises of rungs. */
@NullMarked
package dev.fairlead.media.prepare;

import org.jspecify.annotations.NullMarked;
