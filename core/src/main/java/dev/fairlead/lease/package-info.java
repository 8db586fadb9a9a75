/**
 * What callers hold, leave and are refused: leases, submitted work and its ticket, and the pool's
 * exceptions.
 */
@NullMarked
package dev.fairlead.lease;

import org.jspecify.annotations.NullMarked;
