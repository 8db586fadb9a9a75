/** Orders what is committed, packs it and publishes it. */
@NullMarked
package dev.fairlead.media.output;

import org.jspecify.annotations.NullMarked;
