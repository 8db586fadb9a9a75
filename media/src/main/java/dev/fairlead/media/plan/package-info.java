/** What is to be made of a source: ladder, chunk grid, spans. Pure. */
@NullMarked
package dev.fairlead.media.plan;

import org.jspecify.annotations.NullMarked;
