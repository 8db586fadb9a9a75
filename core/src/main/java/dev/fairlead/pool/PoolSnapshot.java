package dev.fairlead.pool;

import dev.fairlead.device.Device;
import dev.fairlead.device.Timespan;
import dev.fairlead.health.Health;
import dev.fairlead.policy.Load;
import dev.fairlead.stats.DeviceStats;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A pool at one point in time: nothing is placed and nothing ends between the first and the last
 * device of a snapshot.
 *
 * @param sequence counts the snapshots of this pool
 * @param time when it was taken
 * @param waiting demands that wait for a device and are in no queue
 * @param refusals demands that were not served, and why
 * @param totals over all devices, removed ones included
 */
public record PoolSnapshot(
    long sequence,
    Instant time,
    List<Entry> devices,
    int waiting,
    Refusals refusals,
    Totals totals) {

  /**
   * One device.
   *
   * @param paused whether it was {@linkplain DevicePool#pause paused} by hand, whatever its health
   */
  public record Entry(
      int index,
      Device device,
      Health health,
      boolean paused,
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
      return holder + " for " + Timespan.of(age);
    }
  }

  /** Demands that no device could ever take, that waited too long, or that were withdrawn. */
  public record Refusals(long rejected, long timedOut, long withdrawn) {}

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
}
