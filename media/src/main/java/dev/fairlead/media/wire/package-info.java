/** What parent and worker send each other. */
@NullMarked
package dev.fairlead.media.wire;

import org.jspecify.annotations.NullMarked;
