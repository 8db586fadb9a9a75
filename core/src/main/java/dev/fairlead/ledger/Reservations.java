package dev.fairlead.ledger;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.Resources;
import dev.fairlead.policy.Demand;
import java.util.Map;

/**
 * What is reserved on a device besides slots: bytes and named resources; and what the device says
 * is free. Guarded by its ledger.
 *
 * <p>A device that is polled says what is allocated, not what is reserved. So the pool keeps count
 * of the bytes that are reserved and, as far as it can tell, not allocated yet: all that queued
 * jobs reserve, and what running ones reserve until the device's use has risen by as much. These
 * are not free, whatever the device says. Between polls what is released after it was allocated is
 * added. The free memory never exceeds the total less all reservations. A device that was never
 * polled starts from its total, not from zero. What a device says beyond its total, or beyond
 * {@link #MOST_STREAMS}, is not believed.
 */
final class Reservations {
  /** More streams than any device runs; a burden with these and a handicap is still an int. */
  private static final int MOST_STREAMS = 1_000_000;

  private final long totalBytes;
  private final String[] names;
  private final long[] limits;
  private final long[] taken;
  private long bytes;

  /** Of these, what jobs reserve that have not started, and what running ones have yet to use. */
  private long queuedBytes;

  private long pendingBytes;
  private long releasedBytes;
  private long freeAtPoll;
  private long polls;
  private long polledAt;
  private int foreignStreams;

  Reservations(Device device) {
    this.totalBytes = device.memoryBytes();
    Map<String, Long> named = device.capacity().named();
    this.names = named.keySet().stream().sorted().toArray(String[]::new);
    this.limits = new long[names.length];
    this.taken = new long[names.length];
    for (int i = 0; i < names.length; i++) {
      limits[i] = named.getOrDefault(names[i], 0L);
    }
  }

  long freeBytes() {
    long free = totalBytes - bytes;
    if (polls > 0) {
      free = Math.min(free, freeAtPoll + releasedBytes - queuedBytes - pendingBytes);
    }
    return Math.max(0, free);
  }

  boolean fit(Demand demand) {
    Resources asked = demand.resources();
    if (asked.memoryBytes() > 0 || demand.eligibility().minimumFreeBytes() > 0) {
      long free = freeBytes();
      if (asked.memoryBytes() > free || demand.eligibility().minimumFreeBytes() > free) {
        return false;
      }
    }
    for (int i = 0; i < names.length; i++) {
      if (asked.named().getOrDefault(names[i], 0L) > limits[i] - taken[i]) {
        return false;
      }
    }
    return true;
  }

  /** Reserves for a job that waits, or is about to start. */
  void take(Resources asked) {
    queuedBytes += asked.memoryBytes();
    change(asked, 1);
  }

  /** What was reserved may be allocated from now on. */
  void started(Resources asked) {
    queuedBytes -= asked.memoryBytes();
    pendingBytes += asked.memoryBytes();
  }

  void give(Resources asked, boolean started) {
    change(asked, -1);
    if (started) {
      // What ends has as a rule used what it reserved; what is left to use is that of the others.
      long pending = Math.min(pendingBytes, bytes - queuedBytes);
      releasedBytes += asked.memoryBytes() - (pendingBytes - pending);
      pendingBytes = pending;
    } else {
      queuedBytes -= asked.memoryBytes();
    }
  }

  private void change(Resources asked, int sign) {
    bytes += sign * asked.memoryBytes();
    for (int i = 0; i < names.length; i++) {
      taken[i] += sign * asked.named().getOrDefault(names[i], 0L);
    }
  }

  void polled(DeviceContext.Sample sample, long now) {
    long free = Math.min(sample.freeBytes(), totalBytes);
    long before = polls == 0 ? totalBytes : Math.min(totalBytes, freeAtPoll + releasedBytes);
    pendingBytes -= Math.min(pendingBytes, Math.max(0, before - free));
    releasedBytes = 0;
    freeAtPoll = free;
    foreignStreams = Math.min(sample.foreignStreams(), MOST_STREAMS);
    polledAt = now;
    polls++;
  }

  int foreignStreams() {
    return foreignStreams;
  }

  long polls() {
    return polls;
  }

  long pollAgeNanos(long now) {
    return polls == 0 ? 0 : now - polledAt;
  }
}
