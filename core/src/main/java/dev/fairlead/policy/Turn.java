package dev.fairlead.policy;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is on a device, and why.
 *
 * @param unit the index of the unit that the device takes, {@link ServicePolicy#NONE} if none
 * @param asked the jobs that were asked, in turn; the last one has the unit, unless {@code forAll}
 * @param forAll whether the unit was found only when the inner policy was asked about all at once
 */
public record Turn(int unit, List<Asked> asked, boolean forAll) {
  /**
   * A job that was asked for a unit.
   *
   * @param job the number by which the owner of the units knows it
   * @param tenant the name of its tenant
   * @param time the tenant's virtual time, by which it was the tenant's turn
   * @param priority the job's own priority
   * @param lifted whether it counted one step higher, because it has waited for long
   * @param whole whether units were asked for whose input is there, or others
   */
  public record Asked(
      long job, String tenant, double time, Priority priority, boolean lifted, boolean whole) {
    /** Why it was asked at this point, in words, behind the name of its tenant. */
    public String reason() {
      return "has had %.3f s for its weight; priority %s%s%s"
          .formatted(
              time,
              priority,
              lifted ? ", one step higher since it has waited for long" : "",
              whole ? "" : ", input still in the making");
    }

    static Asked of(FairJob job, boolean whole) {
      TenantAccount tenant = job.tenant();
      return new Asked(
          job.number(), tenant.name(), tenant.time(), job.priority(), job.isLifted(), whole);
    }
  }

  public Turn {
    asked = List.copyOf(asked);
  }

  /** The job that has the turn; null if none has. */
  public @Nullable Asked served() {
    return unit == ServicePolicy.NONE || forAll ? null : asked.getLast();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int index = 0; index < asked.size(); index++) {
      Asked each = asked.get(index);
      boolean has = index == asked.size() - 1 && served() != null;
      text.append(index == 0 ? "" : "\n")
          .append(
              "%s: job %d of tenant %s, which %s"
                  .formatted(
                      has ? "turn" : "has none for this device",
                      each.job,
                      each.tenant,
                      each.reason()));
    }
    if (forAll) {
      text.append(text.isEmpty() ? "" : "\n").append("turn: the best of all that wait");
    }
    return text.isEmpty() ? "nothing waits" : text.toString();
  }
}
