package dev.fairlead.policy;

import java.util.List;
import java.util.Locale;

/** The placement policies that come with Fairlead. */
public final class Policies {
  /** Where every policy is registered: what lists policies, or finds one by name, reads it here. */
  private static final List<PlacementPolicy> ALL =
      List.of(
          new RoundRobin(),
          new LeastLoaded(),
          new Weighted(),
          new Adaptive(),
          new PowerOfTwo(),
          new EarliestFinish());

  /** How many items a device may be behind its share before the rest is forgotten. */
  private static final double LAG_ITEMS = 2;

  private Policies() {}

  /** Strict order across the devices that can take the work; a full device is skipped. */
  public static PlacementPolicy roundRobin() {
    return the(RoundRobin.class);
  }

  /** The device with the fewest items and foreign streams; equals take turns. The default. */
  public static PlacementPolicy leastLoaded() {
    return the(LeastLoaded.class);
  }

  /** In proportion to the devices' weights, corrected by what each still has outstanding. */
  public static PlacementPolicy weighted() {
    return the(Weighted.class);
  }

  /** The device that would finish first by its measured rate; unmeasured ones are tried. */
  public static PlacementPolicy adaptive() {
    return the(Adaptive.class);
  }

  /** The better of two devices drawn by speed. */
  public static PlacementPolicy powerOfTwo() {
    return the(PowerOfTwo.class);
  }

  /** The device that would finish this kind of work first, by learned cost; adaptive until then. */
  public static PlacementPolicy earliestFinish() {
    return the(EarliestFinish.class);
  }

  public static List<PlacementPolicy> all() {
    return ALL;
  }

  /** The names of all, in their order. */
  public static List<String> names() {
    return ALL.stream().map(PlacementPolicy::name).toList();
  }

  /** The policy of that name, such as {@code least-loaded}. */
  public static PlacementPolicy named(String name) {
    return ALL.stream()
        .filter(policy -> policy.name().equals(name.strip().toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "There is no policy \"%s\"; there are %s"
                    .formatted(name, String.join(", ", names()))));
  }

  private static PlacementPolicy the(Class<? extends PlacementPolicy> kind) {
    return ALL.stream().filter(kind::isInstance).findFirst().orElseThrow();
  }

  /**
   * The share at which a device's next item starts; the holder of {@code pass} moves it by this.
   */
  public static double start(double pass, double horizon, double weight) {
    return Math.max(pass, horizon - LAG_ITEMS / weight);
  }
}
