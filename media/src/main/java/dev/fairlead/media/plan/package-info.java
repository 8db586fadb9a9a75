/** What is to be made of a source: ladder, chunk grid, spans. Pure. Part of the API. */
@NullMarked
package dev.fairlead.media.plan;

import org.jspecify.annotations.NullMarked;
