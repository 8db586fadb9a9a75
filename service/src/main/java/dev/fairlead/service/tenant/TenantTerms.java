package dev.fairlead.service.tenant;

import dev.fairlead.service.http.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a tenant is due, and how much it may have waiting; what is left out is as usual.
 *
 * @param weight its part of the devices beside others that have work
 * @param maxQueued how many of its jobs may wait
 * @param maxBytes how many bytes the sources of its jobs that are not over may have together
 */
public record TenantTerms(
    Optional<Double> weight, Optional<Integer> maxQueued, Optional<Long> maxBytes) {
  /** Those of a tenant of which nothing was said. */
  static final TenantTerms USUAL =
      new TenantTerms(Optional.empty(), Optional.empty(), Optional.empty());

  private static final double USUAL_WEIGHT = 1;
  private static final int USUAL_QUEUED = 5_000;
  private static final double LEAST_WEIGHT = 0.001;
  private static final double MOST_WEIGHT = 1_000;

  double share() {
    return weight.orElse(USUAL_WEIGHT);
  }

  int queued() {
    return maxQueued.orElse(USUAL_QUEUED);
  }

  /**
   * Refuses what cannot be.
   *
   * @throws Problem if a number is out of its bounds
   */
  TenantTerms checked() {
    List<Problem.Flaw> flaws = new ArrayList<>();
    if (!(share() >= LEAST_WEIGHT && share() <= MOST_WEIGHT)) {
      flaws.add(
          new Problem.Flaw(
              "/weight", "A weight is from 0.001 to 1000; this is %s".formatted(share())));
    }
    if (queued() < 0 || queued() > Admission.MOST_JOBS) {
      flaws.add(
          new Problem.Flaw(
              "/maxQueued",
              "From 0 to %,d jobs may wait; this is %d".formatted(Admission.MOST_JOBS, queued())));
    }
    if (maxBytes.orElse(0L) < 0) {
      flaws.add(new Problem.Flaw("/maxBytes", "This is less than nothing: " + maxBytes.get()));
    }
    if (!flaws.isEmpty()) {
      throw Problem.flaws(flaws);
    }
    return this;
  }
}
