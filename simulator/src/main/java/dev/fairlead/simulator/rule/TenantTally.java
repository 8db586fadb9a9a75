package dev.fairlead.simulator.rule;

import dev.fairlead.policy.Tenant;
import dev.fairlead.simulator.workload.Tenancy;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts what tenants were served while all of them had units waiting: what these really cost, not
 * what the books say.
 */
public final class TenantTally {
  /**
   * What came of a tenant.
   *
   * @param dueShare its weight ÷ all weights
   * @param share of all work that was done until the first tenant had nothing waiting
   * @param longestWaitSeconds the longest time without a start while it had units waiting
   * @param jobsDone how many of its jobs were done to the end
   */
  public record Share(
      Tenant tenant, double dueShare, double share, double longestWaitSeconds, int jobsDone) {
    /** By how much of what is due it had more or less. */
    public double deviation() {
      return share / dueShare - 1;
    }
  }

  private final Tenancy tenancy;
  private final int[] unitsLeft;
  private final int[] waiting;
  private final long[] latest;
  private final long[] longest;
  private final double[] served;
  private boolean open = true;

  public TenantTally(Tenancy tenancy) {
    this.tenancy = tenancy;
    int tenants = tenancy.tenants().size();
    this.unitsLeft = new int[tenancy.jobs()];
    this.waiting = new int[tenants];
    this.latest = new long[tenants];
    this.longest = new long[tenants];
    this.served = new double[tenants];
  }

  Tenancy tenancy() {
    return tenancy;
  }

  /** A unit has come, or comes back after a failure. */
  void waits(int job, long now) {
    int tenant = tenancy.tenantOf(job);
    unitsLeft[job]++;
    if (waiting[tenant]++ == 0) {
      latest[tenant] = now;
    }
  }

  void starts(int job, long now) {
    int tenant = tenancy.tenantOf(job);
    unitsLeft[job]--;
    waiting[tenant]--;
    longest[tenant] = Math.max(longest[tenant], now - latest[tenant]);
    latest[tenant] = now;
    open &= waiting[tenant] > 0;
  }

  void done(int job, double cost) {
    if (open) {
      served[tenancy.tenantOf(job)] += cost;
    }
  }

  /** By tenant. */
  public List<Share> shares() {
    double weights = tenancy.tenants().stream().mapToDouble(Tenant::weight).sum();
    double all = 0;
    for (double each : served) {
      all += each;
    }
    int[] jobsDone = new int[served.length];
    for (int job = 0; job < unitsLeft.length; job++) {
      jobsDone[tenancy.tenantOf(job)] += unitsLeft[job] == 0 ? 1 : 0;
    }
    List<Share> shares = new ArrayList<>();
    for (int index = 0; index < served.length; index++) {
      Tenant tenant = tenancy.tenants().get(index);
      shares.add(
          new Share(
              tenant,
              tenant.weight() / weights,
              all == 0 ? Double.NaN : served[index] / all,
              longest[index] / 1e9,
              jobsDone[index]));
    }
    return shares;
  }
}
