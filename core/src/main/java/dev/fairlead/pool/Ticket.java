package dev.fairlead.pool;

/** A job that was left with the pool; good for {@link DevicePool#withdraw}. */
public sealed interface Ticket permits Lease {}
