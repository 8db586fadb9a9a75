package dev.fairlead.policy;

import java.util.List;
import java.util.Locale;

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
      for (int index = 0; index < candidates.size(); index++) {
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
   * Earliest finish by device rate. Unmeasured idle devices are tried first. A measured one that
   * the others have left idle for as long as {@link #PROBE_AFTER_ITEMS} of its items take is tried
   * again, by {@link #PROBE_SHARE} of what comes meanwhile: so probing costs neither much of a slow
   * device's time nor many of the items.
   */
  private record Adaptive() implements PlacementPolicy {
    private static final double PROBE_AFTER_ITEMS = 20;
    private static final double PROBE_SHARE = 0.05;

    @Override
    public String name() {
      return "adaptive";
    }

    @Override
    public long place(Candidates candidates) {
      double slowest = Double.POSITIVE_INFINITY;
      double busiest = Double.POSITIVE_INFINITY;
      for (int index = 0; index < candidates.size(); index++) {
        if (candidates.eligible(index)) {
          double rate = candidates.rate(index);
          if (!Double.isNaN(rate)) {
            slowest = Math.min(slowest, rate);
          }
          busiest = Math.min(busiest, candidates.idleSeconds(index));
        }
      }
      double unmeasured = Double.isInfinite(slowest) ? 1 : slowest;
      long best = Choice.NONE;
      double soonest = Double.POSITIVE_INFINITY;
      int size = candidates.size();
      int first = size == 0 ? 0 : candidates.rotation() % size;
      for (int step = 0; step < size; step++) {
        int index = first + step < size ? first + step : first + step - size;
        if (!candidates.available(index)) {
          continue;
        }
        double rate = candidates.rate(index);
        int burden = candidates.burden(index);
        boolean cold = Double.isNaN(rate);
        if (burden == 0 && (cold || isProbed(candidates, index, rate, busiest))) {
          return Choice.of(index, 0);
        }
        double finish = (burden + 1) / (cold ? unmeasured : rate);
        if (finish < soonest) {
          soonest = finish;
          best = Choice.of(index, burden);
        }
      }
      return best;
    }

    private static boolean isProbed(Candidates candidates, int index, double rate, double busiest) {
      return (candidates.idleSeconds(index) - busiest) * rate > PROBE_AFTER_ITEMS
          && candidates.draw(0) < PROBE_SHARE;
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
   * Earliest finish by learned cost. The line of a device that may be joined counts {@link
   * #BACKLOG} times: who joins it is in the way of all who come later, and on an idle slow device
   * would have been in nobody's. While nothing is known of the kind of work, or all that is not
   * known is busy, adaptive decides; an idle device whose cost is not known is tried. One that the
   * others have left idle for as long as {@link #PROBE_AFTER_ITEMS} of such items take there is
   * tried again, by {@link #PROBE_SHARE} of what comes meanwhile, so that a device that was slow
   * once is not shut out.
   */
  private record EarliestFinish() implements PlacementPolicy {
    private static final double BACKLOG = 1.5;
    private static final double PROBE_AFTER_ITEMS = 20;
    private static final double PROBE_SHARE = 0.05;

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
      boolean probes = candidates.draw(0) < PROBE_SHARE;
      int longIdle = -1;
      int size = candidates.size();
      int first = size == 0 ? 0 : candidates.rotation() % size;
      for (int step = 0; step < size; step++) {
        int index = first + step < size ? first + step : first + step - size;
        if (!candidates.eligible(index)) {
          continue;
        }
        // Read before the backlog: what comes in between is refused, not overlooked.
        int burden = candidates.burden(index);
        boolean available = candidates.available(index);
        double finish =
            (available ? BACKLOG : 1) * candidates.backlogSeconds(index)
                + candidates.predictedSeconds(index);
        if (Double.isNaN(finish)) {
          unknown++;
          untried = burden == 0 && available ? index : untried;
          continue;
        }
        known++;
        if (available) {
          if (probes && burden == 0 && isLongIdle(candidates, index)) {
            longIdle = index;
          }
          if (finish < soonest) {
            soonest = finish;
            free = Choice.of(index, burden);
          }
        } else if (finish < soonestBusy) {
          soonestBusy = finish;
          busy = index;
        }
      }
      if (unknown > 0) {
        return known > 0 && untried >= 0 ? Choice.of(untried, 0) : ADAPTIVE.place(candidates);
      }
      if (longIdle >= 0) {
        return Choice.of(longIdle, 0);
      }
      if (busy >= 0 && soonestBusy < soonest) {
        return Choice.waitFor(busy);
      }
      return free;
    }

    private static boolean isLongIdle(Candidates candidates, int index) {
      return candidates.idleSeconds(index) > PROBE_AFTER_ITEMS * candidates.predictedSeconds(index);
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
}
