/** What is in a source: tracks, colours, times. Values only. Part of the API. */
@NullMarked
package dev.fairlead.media.source;

import org.jspecify.annotations.NullMarked;
