package dev.fairlead.policy;

import java.util.List;
import java.util.Locale;
import java.util.function.IntToDoubleFunction;

/** The placement policies that come with Fairlead. */
public final class Policies {
  private static final PlacementPolicy ROUND_ROBIN = new RoundRobin();
  private static final PlacementPolicy LEAST_LOADED = new LeastLoaded();
  private static final PlacementPolicy WEIGHTED = new Weighted();
  private static final PlacementPolicy ADAPTIVE = new Adaptive();
  private static final PlacementPolicy POWER_OF_TWO = new PowerOfTwo();
  private static final PlacementPolicy EARLIEST_FINISH = new EarliestFinish();

  private Policies() {}

  /** Strict order across the devices that can take the work; a full device is skipped. */
  public static PlacementPolicy roundRobin() {
    return ROUND_ROBIN;
  }

  /** The device with the fewest items and foreign streams; equals take turns. The default. */
  public static PlacementPolicy leastLoaded() {
    return LEAST_LOADED;
  }

  /** In proportion to the devices' weights, corrected by what each still has outstanding. */
  public static PlacementPolicy weighted() {
    return WEIGHTED;
  }

  /** The device that would finish first by its measured rate; unmeasured ones are tried. */
  public static PlacementPolicy adaptive() {
    return ADAPTIVE;
  }

  /** The better of two devices drawn by speed. */
  public static PlacementPolicy powerOfTwo() {
    return POWER_OF_TWO;
  }

  /** The device that would finish this kind of work first, by learned cost; adaptive until then. */
  public static PlacementPolicy earliestFinish() {
    return EARLIEST_FINISH;
  }

  public static List<PlacementPolicy> all() {
    return List.of(ROUND_ROBIN, LEAST_LOADED, WEIGHTED, ADAPTIVE, POWER_OF_TWO, EARLIEST_FINISH);
  }

  /** The policy of that name, such as {@code least-loaded}. */
  public static PlacementPolicy named(String name) {
    return all().stream()
        .filter(policy -> policy.name().equals(name.strip().toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "There is no policy \"%s\"; there are %s"
                    .formatted(name, all().stream().map(PlacementPolicy::name).toList())));
  }

  private record RoundRobin() implements PlacementPolicy {
    @Override
    public String name() {
      return "round-robin";
    }

    @Override
    public Memory memory() {
      return Memory.TURN;
    }

    @Override
    public long place(Candidates candidates) {
      int size = candidates.size();
      for (int step = 0, index = candidates.turn(); step < size; step++, index++) {
        index = index < 0 || index >= size ? 0 : index;
        if (candidates.available(index)) {
          return Choice.of(index);
        }
      }
      return Choice.NONE;
    }

    @Override
    public String account(Candidates candidates, int index) {
      int size = candidates.size();
      int turn = candidates.turn() >= size ? 0 : candidates.turn();
      return Math.floorMod(index - turn, size) + " places after the next turn";
    }
  }

  private record LeastLoaded() implements PlacementPolicy {
    @Override
    public String name() {
      return "least-loaded";
    }

    @Override
    public long place(Candidates candidates) {
      return candidates.leastBurdened();
    }
  }

  /**
   * Weighted fair queueing of single items. A device's pass is what it has had, divided by its
   * weight; the next item goes where its middle would lie lowest, which spreads a light device's
   * items evenly among those of heavy ones. Passes never lag behind the horizon by more than {@link
   * Policies#LAG_ITEMS}, so that a device that comes late, or comes back, gets its share from then
   * on instead of everything until it has caught up.
   */
  private record Weighted() implements PlacementPolicy {
    private static final Rank.Steady RANK =
        (candidates, index) -> middle(candidates, index, candidates.burden(index));

    @Override
    public String name() {
      return "weighted";
    }

    @Override
    public Memory memory() {
      return Memory.SHARES;
    }

    @Override
    public long place(Candidates candidates) {
      long best = Choice.NONE;
      double lowest = Double.POSITIVE_INFINITY;
      int size = candidates.size();
      for (int index = candidates.next(0, RANK, lowest);
          index < size;
          index = candidates.next(index + 1, RANK, lowest)) {
        if (candidates.available(index)) {
          int burden = candidates.burden(index);
          double middle = middle(candidates, index, burden);
          if (middle < lowest) {
            lowest = middle;
            best = Choice.of(index, burden);
          }
        }
      }
      return best;
    }

    private static double middle(Candidates candidates, int index, int burden) {
      double weight = candidates.weight(index);
      return start(candidates.pass(index), candidates.horizon(), weight) + (0.5 + burden) / weight;
    }

    @Override
    public String account(Candidates candidates, int index) {
      int burden = candidates.burden(index);
      return "weight %.2f, burden %d, would lie at share %.3f"
          .formatted(candidates.weight(index), burden, middle(candidates, index, burden));
    }
  }

  private static final double LAG_ITEMS = 2;

  /**
   * The share at which a device's next item starts; the holder of {@code pass} moves it by this.
   */
  public static double start(double pass, double horizon, double weight) {
    return Math.max(pass, horizon - LAG_ITEMS / weight);
  }

  /**
   * Earliest finish by device rate. Unmeasured idle devices are tried first; a busy one that is not
   * measured counts as slow as the slowest. What the others have left idle is tried again, see
   * {@link Policies#neglected}.
   */
  private record Adaptive() implements PlacementPolicy {
    private static final Rank.Steady RANK =
        (candidates, index) -> (candidates.burden(index) + 1) / candidates.rate(index);

    @Override
    public String name() {
      return "adaptive";
    }

    @Override
    public long place(Candidates candidates) {
      double unmeasured = Double.NaN;
      long best = Choice.NONE;
      double soonest = Double.POSITIVE_INFINITY;
      int size = candidates.size();
      int first = size == 0 ? 0 : candidates.rotation() % size;
      for (int step = 0; step < size; step++) {
        int index = first + step < size ? first + step : first + step - size;
        int next = candidates.next(index, RANK, soonest);
        if (next > index) {
          step += next - index - 1;
          continue;
        }
        if (!candidates.available(index)) {
          continue;
        }
        double rate = candidates.rate(index);
        int burden = candidates.burden(index);
        if (Double.isNaN(rate)) {
          if (burden == 0) {
            return Choice.of(index, 0);
          }
          unmeasured = Double.isNaN(unmeasured) ? slowest(candidates) : unmeasured;
          rate = unmeasured;
        }
        double finish = (burden + 1) / rate;
        if (finish < soonest) {
          soonest = finish;
          best = Choice.of(index, burden);
        }
      }
      int idle =
          candidates.draw(0) < PROBE_SHARE
              ? neglected(candidates, index -> 1 / candidates.rate(index))
              : -1;
      return idle < 0 ? best : Choice.of(idle, 0);
    }

    /** The least measured rate; 1 if none is. */
    private static double slowest(Candidates candidates) {
      double slowest = Double.POSITIVE_INFINITY;
      for (int index = 0; index < candidates.size(); index++) {
        if (candidates.eligible(index) && candidates.rate(index) < slowest) {
          slowest = candidates.rate(index);
        }
      }
      return Double.isInfinite(slowest) ? 1 : slowest;
    }

    @Override
    public String account(Candidates candidates, int index) {
      double rate = candidates.rate(index);
      return Double.isNaN(rate)
          ? "burden %d, rate not measured".formatted(candidates.burden(index))
          : "burden %d at %.3g/s, would finish in %.3g s"
              .formatted(candidates.burden(index), rate, (candidates.burden(index) + 1) / rate);
    }
  }

  private record PowerOfTwo() implements PlacementPolicy {
    @Override
    public String name() {
      return "power-of-two";
    }

    @Override
    public long place(Candidates candidates) {
      double typical = candidates.typicalRate();
      double total = candidates.totalSpeed(typical);
      int one = candidates.atSpeed(candidates.draw(0) * total, typical);
      if (one < 0) {
        return Choice.NONE;
      }
      int two = candidates.atSpeed(candidates.draw(1) * total, typical);
      int burdenOfOne = candidates.burden(one);
      if (two < 0) {
        return Choice.of(one, burdenOfOne); // the second look found nobody free any more
      }
      int burdenOfTwo = candidates.burden(two);
      boolean second =
          (burdenOfTwo + 1) / candidates.speed(two, typical)
              < (burdenOfOne + 1) / candidates.speed(one, typical);
      return second ? Choice.of(two, burdenOfTwo) : Choice.of(one, burdenOfOne);
    }
  }

  /**
   * Earliest finish by learned cost. The backlog of a device whose line would be joined counts
   * {@link #LINE} times: who joins a line is in the way of all who come later, and on an idle slow
   * device would have been in nobody's. While nothing is known of the kind of work, or all that is
   * not known is busy, adaptive decides; an idle device whose cost is not known is tried. What the
   * others have left idle is tried again, see {@link Policies#neglected}.
   */
  private record EarliestFinish() implements PlacementPolicy {
    private static final double LINE = 5;
    private static final Rank.Finish RANK = new Rank.Finish(LINE);

    @Override
    public String name() {
      return "earliest-finish";
    }

    @Override
    public long place(Candidates candidates) {
      long free = Choice.NONE;
      int busy = -1;
      double soonest = Double.POSITIVE_INFINITY;
      double soonestBusy = Double.POSITIVE_INFINITY;
      int untried = -1;
      int unknown = 0;
      int known = 0;
      int size = candidates.size();
      int first = size == 0 ? 0 : candidates.rotation() % size;
      for (int step = 0; step < size; step++) {
        int index = first + step < size ? first + step : first + step - size;
        int next = candidates.next(index, RANK, soonest);
        if (next > index) {
          step += next - index - 1;
          continue;
        }
        if (!candidates.eligible(index)) {
          continue;
        }
        // Read before the backlog: what comes in between is refused, not overlooked.
        int burden = candidates.burden(index);
        boolean available = candidates.available(index);
        double finish = RANK.of(candidates, index);
        if (Double.isNaN(finish)) {
          unknown++;
          untried = burden == 0 && available ? index : untried;
          continue;
        }
        known++;
        if (available && finish < soonest) {
          soonest = finish;
          free = Choice.of(index, burden);
        } else if (!available && finish < soonestBusy) {
          soonestBusy = finish;
          busy = index;
        }
      }
      if (unknown > 0) {
        return known > 0 && untried >= 0 ? Choice.of(untried, 0) : ADAPTIVE.place(candidates);
      }
      int idle =
          candidates.draw(0) < PROBE_SHARE
              ? neglected(candidates, candidates::predictedSeconds)
              : -1;
      if (idle >= 0) {
        return Choice.of(idle, 0);
      }
      if (busy >= 0 && soonestBusy < soonest) {
        return Choice.waitFor(busy);
      }
      return free;
    }

    private static double finish(Candidates candidates, int index) {
      return candidates.backlogSeconds(index) + candidates.predictedSeconds(index);
    }

    @Override
    public String account(Candidates candidates, int index) {
      double finish = finish(candidates, index);
      return Double.isNaN(finish)
          ? "cost not learned yet; " + ADAPTIVE.account(candidates, index)
          : "%.3g s of backlog and %.3g s for this"
              .formatted(candidates.backlogSeconds(index), candidates.predictedSeconds(index));
    }
  }

  private static final double PROBE_AFTER_ITEMS = 20;
  private static final double PROBE_SHARE = 0.05;
  private static final int PROBE_AMONG = 64;

  /**
   * A device that the others have left idle for as long as {@link #PROBE_AFTER_ITEMS} of such items
   * take there; -1 if there is none. {@link #PROBE_SHARE} of what comes goes there, so that a
   * device that was slow once is not shut out, and probing costs neither much of a slow device's
   * time nor many of the items. Of many devices {@link #PROBE_AMONG} are looked at.
   */
  private static int neglected(Candidates candidates, IntToDoubleFunction itemSeconds) {
    double everybody = Double.NaN;
    int size = candidates.size();
    int first = (int) (candidates.draw(1) * size);
    for (int step = 0; step < Math.min(size, PROBE_AMONG); step++) {
      int index = first + step < size ? first + step : first + step - size;
      double enough = PROBE_AFTER_ITEMS * itemSeconds.applyAsDouble(index);
      if (candidates.idleSeconds(index) > enough
          && candidates.burden(index) == 0
          && candidates.available(index)) {
        everybody = Double.isNaN(everybody) ? idleOfAll(candidates) : everybody;
        if (candidates.idleSeconds(index) - everybody > enough) {
          return index;
        }
      }
    }
    return -1;
  }

  /** For how long nobody has done anything. */
  private static double idleOfAll(Candidates candidates) {
    double least = Double.POSITIVE_INFINITY;
    for (int index = 0; index < candidates.size() && least > 0; index++) {
      if (candidates.eligible(index)) {
        least = Math.min(least, candidates.idleSeconds(index));
      }
    }
    return least;
  }
}
