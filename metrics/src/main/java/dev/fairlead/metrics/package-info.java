/** What a pool does, for the tools that operators watch: meters of Micrometer, spans. */
@NullMarked
package dev.fairlead.metrics;

import org.jspecify.annotations.NullMarked;
