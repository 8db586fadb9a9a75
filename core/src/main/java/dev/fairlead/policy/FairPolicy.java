package dev.fairlead.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * Shares devices between tenants by weight: the tenant that has had least for its weight goes
 * first, of its jobs the one whose turn it is by {@link FairBooks}, and of that job's units the one
 * that the inner policy picks. If that has none for this device, the next job is asked, then the
 * next tenant. A unit whose input is still in the making is taken only if none of the others is.
 *
 * <p>An inner policy that sees the units of one job only may keep a device idle for a faster one
 * that would finish them sooner. The first {@link #ALONE} jobs are asked like that, which lets a
 * slow device pass over a small urgent job, unless their tenant is behind: then, and for all other
 * jobs, the inner policy is told how many units wait besides. Else a tenant that leaves slow
 * devices to others could not have its share. If no job has a unit for the device, the inner policy
 * is asked about all units at once, so that no device idles that it would have given one.
 */
public record FairPolicy(ServicePolicy inner) implements ServicePolicy {
  /** How many jobs are asked as if nothing else were waiting: planning for each of them costs. */
  static final int ALONE = 8;

  @Override
  public String name() {
    return "fair " + inner.name();
  }

  @Override
  public int next(WaitingUnits units, int device) {
    return units instanceof SharedUnits shared
        ? new Search(shared, device, null).next()
        : inner.next(units, device);
  }

  /** The same with the reasons. */
  public Turn turn(SharedUnits units, int device) {
    List<Turn.Asked> asked = new ArrayList<>();
    Search search = new Search(units, device, asked);
    return new Turn(search.next(), asked, search.forAll);
  }

  /** One decision. */
  private final class Search {
    private final SharedUnits units;
    private final int device;
    private final @Nullable List<Turn.Asked> asked;
    private final int size;
    private int jobs;
    private int largest;
    private boolean forAll;

    Search(SharedUnits units, int device, @Nullable List<Turn.Asked> asked) {
      this.units = units;
      this.device = device;
      this.asked = asked;
      this.size = units.size();
    }

    int next() {
      int unit = next(true);
      unit = unit == NONE ? next(false) : unit;
      if (unit == NONE && largest < size) {
        unit = inner.next(units, device);
        forAll = unit != NONE;
      }
      return unit;
    }

    private int next(boolean whole) {
      NavigableSet<TenantAccount> turns = units.books().turns(whole);
      for (TenantAccount tenant : turns) {
        boolean alone = jobs < ALONE && !isBehind(tenant, turns.higher(tenant));
        for (FairJob job : tenant.jobs(whole)) {
          int unit = next(job, whole, alone && jobs < ALONE);
          if (unit != NONE) {
            return unit;
          }
        }
      }
      return NONE;
    }

    /** Whether it would still be the tenant's turn after a usual unit. */
    private boolean isBehind(TenantAccount tenant, @Nullable TenantAccount next) {
      double unit = units.books().usualSeconds() / tenant.weight();
      return next != null && tenant.time() + unit < next.time();
    }

    private int next(FairJob job, boolean whole, boolean alone) {
      if (asked != null) {
        asked.add(Turn.Asked.of(job, whole));
      }
      int own = job.waiting(whole);
      largest = Math.max(largest, own);
      SharedUnits.Part part = units.of(job, whole, alone ? 0 : size - own);
      jobs++;
      int unit = inner.next(part, device);
      return unit == NONE ? NONE : part.outer(unit);
    }
  }
}
