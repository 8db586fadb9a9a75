package dev.fairlead.pool;

import dev.fairlead.device.Device;
import dev.fairlead.policy.Load;
import dev.fairlead.stats.DeviceStats;
import dev.fairlead.stats.Ticker;
import java.time.Duration;
import java.util.List;

/**
 * A pool at one point in time: nothing is placed and nothing ends between the first and the last
 * device of a snapshot.
 *
 * @param sequence counts the snapshots of this pool
 * @param waiting demands that wait for a device
 * @param totals over all devices, removed ones included
 */
public record PoolSnapshot(
    long sequence, Ticker ticker, long nanos, List<Entry> devices, int waiting, Totals totals) {

  /** One device. */
  public record Entry(
      int index,
      Device device,
      Health health,
      int generation,
      Load load,
      DeviceStats stats,
      List<Holding> leases) {
    public Entry {
      leases = List.copyOf(leases);
    }
  }

  /** Who holds a lease, and for how long by now. */
  public record Holding(String holder, Duration age) {
    @Override
    public String toString() {
      return holder + " for " + age.toMillis() + " ms";
    }
  }

  /** Sums over devices. */
  public record Totals(long completed, long failed, long outstanding, Duration busy) {
    public long dispatched() {
      return completed + failed + outstanding;
    }

    Totals plus(DeviceStats stats) {
      return new Totals(
          completed + stats.completed(),
          failed + stats.failed(),
          outstanding + stats.outstanding(),
          busy.plus(stats.busy()));
    }
  }

  public PoolSnapshot {
    devices = List.copyOf(devices);
  }

  public Duration age() {
    return Duration.ofNanos(ticker.nanos() - nanos);
  }
}
