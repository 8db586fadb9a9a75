/** The API: requests become transcodes, with options, events, results and errors. */
@NullMarked
package dev.fairlead.media.job;

import org.jspecify.annotations.NullMarked;
