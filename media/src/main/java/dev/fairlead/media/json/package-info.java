/** Events and results of transcodes as JSON, for programs that pass them on. */
@NullMarked
package dev.fairlead.media.json;

import org.jspecify.annotations.NullMarked;
