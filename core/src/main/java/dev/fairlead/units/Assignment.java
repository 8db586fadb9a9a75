package dev.fairlead.units;

import dev.fairlead.device.Device;
import dev.fairlead.policy.Turn;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Why a device was given a unit: how all devices stood at that moment, and whose turn it was.
 *
 * @param asClone whether another device had the unit already
 * @param turn empty where the service policy does not share, and for a clone
 */
public record Assignment(List<Candidate> candidates, boolean asClone, Optional<Turn> turn) {
  public Assignment {
    candidates = List.copyOf(candidates);
  }

  /** How a device stood to the unit. */
  public enum Standing {
    /** It was given the unit. */
    TAKES,
    /** It was free, and was not asked before the one that takes it. */
    FREE,
    /** It had no slot left. */
    BUSY,
    /** It had the unit already. */
    HAS_IT,
    /** It is not meant for the unit, or has failed with it. */
    UNFIT,
    /** It took no work at all. */
    AWAY
  }

  /**
   * A device.
   *
   * @param seconds that the unit was predicted to take there, with its input on the way; empty
   *     where no device has done such work
   * @param busySeconds for how long it was predicted to be busy, for each slot; empty likewise
   */
  public record Candidate(
      Device device, Optional<Double> seconds, Optional<Double> busySeconds, Standing standing) {
    /** Why it was chosen, or why not, in words. */
    public String reason() {
      return switch (standing) {
        case TAKES -> "is free and takes it";
        case FREE -> "is free; another was asked first";
        case BUSY ->
            busySeconds
                .map(left -> String.format(Locale.ROOT, "is busy for %.1f s more", left))
                .orElse("is busy");
        case HAS_IT -> "has it, and is predicted to be done later";
        case UNFIT -> "is not meant for it, or has failed with it";
        case AWAY -> "takes no work now";
      };
    }
  }
}
