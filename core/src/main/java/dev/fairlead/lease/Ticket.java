package dev.fairlead.lease;

/** A job that was left with the pool; good for {@code DevicePool.withdraw}. */
public interface Ticket {}
