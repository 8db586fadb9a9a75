/** What was done for jobs, as traces and pages: for people and programs that look at it later. */
@NullMarked
package dev.fairlead.media.report;

import org.jspecify.annotations.NullMarked;
