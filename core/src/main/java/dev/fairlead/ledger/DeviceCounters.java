package dev.fairlead.ledger;

import dev.fairlead.stats.DecayedRate;
import dev.fairlead.stats.DeviceStats;
import dev.fairlead.stats.Latencies;
import dev.fairlead.stats.MovingAverage;
import java.time.Duration;

/**
 * What a device has done so far. Guarded by its ledger.
 *
 * <p>Busy time is the time during which at least one slot ran, whatever the number of slots, so
 * that work ÷ busy time is what the device as a whole does. A failure adds busy time and no work.
 */
final class DeviceCounters {
  private final MovingAverage reported = new MovingAverage();
  private final DecayedRate rate = new DecayedRate();
  private final Latencies latencies = new Latencies();
  private final Latencies waits = new Latencies();
  private long completed;
  private long failed;
  private long busyNanos;
  private long busyMark;

  /** Something starts on a device on which nothing ran. */
  void wake(long now) {
    busyMark = now;
  }

  void ended(boolean succeeded, double size, long startedAt, long now) {
    long held = now - startedAt;
    long busy = Math.max(0, now - busyMark);
    busyMark = now;
    busyNanos += busy;
    latencies.add(held);
    rate.add(succeeded ? size : 0, busy, now);
    if (succeeded && held > 0) {
      reported.add(size * 1e9 / held);
    }
    count(succeeded);
  }

  /** Something starts that had to wait so long for a slot. */
  void waited(long nanos) {
    waits.add(Math.max(0, nanos));
  }

  /** Counts an end whose time is not known. */
  void count(boolean succeeded) {
    if (succeeded) {
      completed++;
    } else {
      failed++;
    }
  }

  double rate() {
    return rate.perSecond();
  }

  DeviceStats stats(int outstanding) {
    return new DeviceStats(
        completed,
        failed,
        outstanding,
        reported.value(),
        rate.perSecond(),
        latencies.summary(),
        waits.summary(),
        Duration.ofNanos(busyNanos));
  }
}
