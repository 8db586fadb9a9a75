package dev.fairlead.doctor.run;

import dev.fairlead.device.Profile;
import dev.fairlead.doctor.check.Finding;
import java.util.List;

/**
 * All that was found.
 *
 * @param plan what was looked at
 * @param profile what was proven, now and before
 */
public record Checkup(List<Planned> plan, List<Finding> findings, Profile profile) {
  public Checkup {
    plan = List.copyOf(plan);
    findings = List.copyOf(findings);
  }

  /** Whether nothing is left to do. */
  public boolean isWell() {
    return count(Finding.Result.FAIL) == 0;
  }

  public long count(Finding.Result result) {
    return findings.stream().filter(each -> each.result() == result).count();
  }
}
