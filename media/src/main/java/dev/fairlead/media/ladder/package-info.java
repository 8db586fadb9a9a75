/** Feeds chunks of rungs to devices until all of them are committed. */
@NullMarked
package dev.fairlead.media.ladder;

import org.jspecify.annotations.NullMarked;
