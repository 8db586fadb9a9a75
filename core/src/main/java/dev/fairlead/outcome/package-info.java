/**
 * What becomes of work: its outcome, the attempts that failed, and the one rule for trying again.
 */
@NullMarked
package dev.fairlead.outcome;

import org.jspecify.annotations.NullMarked;
