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
        return Choice.of(one, burdenOfOne); // the second look found no free device any more
      }
      int burdenOfTwo = candidates.burden(two);
      boolean second =
          (burdenOfTwo + 1) / candidates.speed(two, typical)
              < (burdenOfOne + 1) / candidates.speed(one, typical);
      return second ? Choice.of(two, burdenOfTwo) : Choice.of(one, burdenOfOne);
    }

    @Override
    public boolean weighsQueues() {
      return true;
    }

    @Override
    public boolean takes(Candidates candidates, int free, int busy) {
      return Adaptive.finishesFirst(candidates, free, busy);
    }
  }
}
