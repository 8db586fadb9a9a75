package dev.fairlead.policy;

import java.util.List;

/**
 * What tenants have had so far, so that it can be shown, kept, and taken up again.
 *
 * @param floor the least virtual time that a tenant has which returns
 * @param tenants the one whose turn is next first
 */
public record FairShares(double floor, List<Share> tenants) {
  /** Nothing was shared yet. */
  public static final FairShares NONE = new FairShares(0, List.of());

  /**
   * What one tenant has had.
   *
   * @param time its virtual time: charged seconds ÷ weight, and what absence has added
   * @param chargedSeconds what it was charged since the books were opened
   * @param present whether it has something waiting or running
   */
  public record Share(Tenant tenant, double time, double chargedSeconds, boolean present) {
    public Share {
      if (!Double.isFinite(time)) {
        throw new IllegalArgumentException(
            "The time of tenant %s is not a number: %s".formatted(tenant.name(), time));
      }
    }
  }

  public FairShares {
    if (!Double.isFinite(floor)) {
      throw new IllegalArgumentException("floor is not a number: " + floor);
    }
    tenants = List.copyOf(tenants);
  }
}
