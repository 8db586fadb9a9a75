package dev.fairlead.range;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The units of a range, shared out to workers in proportion to their speeds. Each takes from the
 * front of its own share; one whose share is empty steals half of what the richest has left.
 *
 * <p>Thread-safe, as long as each worker is one thread.
 */
public final class RangeShares {
  private static final long BATCH_NANOS = Duration.ofMillis(2).toNanos();
  private static final int MOST_IN_BATCH = 1 << 20;

  private final StealableUnits[] deques;

  private RangeShares(int workers) {
    deques = new StealableUnits[workers];
    Arrays.setAll(deques, _ -> new StealableUnits());
  }

  /** Shares of so many units, one for each speed. */
  public static RangeShares of(int units, List<Double> speeds) {
    RangeShares shares = new RangeShares(speeds.size());
    for (Unit share : Splitter.weighted(speeds).split(units, speeds.size())) {
      shares.deques[share.home()].fill(
          StealableUnits.interval((int) share.range().start(), (int) share.range().end()));
    }
    return shares;
  }

  /**
   * Speeds to share by: what was measured, on a scale where its mean is one, so that weights can
   * stand in where nothing was measured yet.
   *
   * @param rates NaN where nothing was measured
   */
  public static List<Double> speeds(List<Double> rates, List<Double> weights) {
    double mean =
        rates.stream().filter(rate -> !rate.isNaN()).mapToDouble(rate -> rate).average().orElse(1);
    List<Double> speeds = new ArrayList<>();
    for (int i = 0; i < rates.size(); i++) {
      speeds.add(rates.get(i).isNaN() ? weights.get(i) : rates.get(i) / mean);
    }
    return speeds;
  }

  /**
   * How many units the worker should take at a time: as many as take about two milliseconds, and no
   * more than half of what it has, so that there is something to steal.
   *
   * @param nanosPerUnit zero while that is not known
   */
  public int batch(int worker, double nanosPerUnit) {
    int wanted =
        nanosPerUnit == 0
            ? 1
            : (int) Math.min(MOST_IN_BATCH, BATCH_NANOS / Math.max(1, nanosPerUnit));
    return Math.max(1, Math.min(wanted, deques[worker].size() / 2));
  }

  /** What the worker has left. */
  public int left(int worker) {
    return deques[worker].size();
  }

  /** Whether no worker has anything left. */
  public boolean isEmpty() {
    for (StealableUnits deque : deques) {
      if (deque.size() > 0) {
        return false;
      }
    }
    return true;
  }

  /** Up to {@code most} units of the worker's own; null if it has none. */
  public @Nullable Range take(int worker, int most) {
    return range(deques[worker].take(most));
  }

  /**
   * The first unit of the half that is stolen from the richest; the rest of it becomes the worker's
   * own. Null if there is nothing to steal, or another worker was faster.
   *
   * @throws IllegalStateException if the worker has units left: there is no place for stolen ones
   */
  public @Nullable Range steal(int worker) {
    if (left(worker) > 0) {
      throw new IllegalStateException(
          "Worker %d has %d units left: it takes those before it steals"
              .formatted(worker, left(worker)));
    }
    StealableUnits richest = deques[worker];
    for (StealableUnits other : deques) {
      if (other.size() > richest.size()) {
        richest = other;
      }
    }
    long loot = richest.steal();
    if (loot == StealableUnits.NONE) {
      return null;
    }
    int first = StealableUnits.start(loot);
    if (StealableUnits.length(loot) > 1) {
      deques[worker].fill(StealableUnits.interval(first + 1, StealableUnits.end(loot)));
    }
    return new Range(first, first + 1);
  }

  private static @Nullable Range range(long interval) {
    return interval == StealableUnits.NONE
        ? null
        : new Range(StealableUnits.start(interval), StealableUnits.end(interval));
  }
}
