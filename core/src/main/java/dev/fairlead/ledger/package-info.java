/**
 * The books of a device, and the leases that are entered in them: its lock word, slots, queue,
 * reservations, statistics and serving state. Internal.
 */
@NullMarked
package dev.fairlead.ledger;

import org.jspecify.annotations.NullMarked;
