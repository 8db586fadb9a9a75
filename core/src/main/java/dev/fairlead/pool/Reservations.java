package dev.fairlead.pool;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.Resources;
import dev.fairlead.policy.Demand;
import java.util.Map;

/**
 * What is reserved on a device besides slots: bytes and named resources; and what the device says
 * is free. Guarded by its ledger.
 *
 * <p>Between polls the free memory moves with the pool's own reservations: what was free at the
 * poll, less what has been reserved since, plus what has been released since. It never exceeds the
 * total less all reservations. A device that was never polled starts from its total, not from zero.
 * What a device says beyond its total, or beyond {@link #MOST_STREAMS}, is not believed.
 */
final class Reservations {
  /** More streams than any device runs; a burden with these and a handicap is still an int. */
  private static final int MOST_STREAMS = 1_000_000;

  private final long totalBytes;
  private final String[] names;
  private final long[] limits;
  private final long[] taken;
  private long bytes;
  private long bytesAtPoll;
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
      free = Math.min(free, freeAtPoll + bytesAtPoll - bytes);
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

  void take(Resources asked) {
    change(asked, 1);
  }

  void give(Resources asked) {
    change(asked, -1);
  }

  private void change(Resources asked, int sign) {
    bytes += sign * asked.memoryBytes();
    for (int i = 0; i < names.length; i++) {
      taken[i] += sign * asked.named().getOrDefault(names[i], 0L);
    }
  }

  void polled(DeviceContext.Sample sample, long now) {
    freeAtPoll = Math.min(sample.freeBytes(), totalBytes);
    bytesAtPoll = bytes;
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
