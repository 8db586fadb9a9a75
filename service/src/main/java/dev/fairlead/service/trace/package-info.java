/** What was done for jobs: traces and reports, while they run and after. */
@NullMarked
package dev.fairlead.service.trace;

import org.jspecify.annotations.NullMarked;
