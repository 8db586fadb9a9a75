package dev.fairlead.media.ladder;

import dev.fairlead.media.job.ChaosPlan;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.wire.Chaos;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The faults of a plan in one job: numbers the attempts at each unit, and remembers which faults
 * that were due at a time have been made. It lives as long as the job, also while workers are
 * restarted and rungs are encoded again, so that an attempt's number is never used twice.
 * Thread-safe.
 */
public final class Rehearsal {
  private final ChaosPlan plan;

  // Guarded by this.
  private final Map<UnitId, Integer> attempts = new HashMap<>();
  private final int[] made;

  public Rehearsal(ChaosPlan plan) {
    this.plan = plan;
    this.made = new int[plan.faults().size()];
  }

  /**
   * An attempt at a unit begins, so many seconds after the start: the fault that it makes.
   *
   * @param rung the number of the unit's rung in the ladder
   */
  public synchronized Chaos begin(int rung, UnitId unit, double seconds) {
    Chaos fault = plan.at(rung, unit, attempts.merge(unit, 1, Integer::sum));
    return fault == Chaos.NONE ? due(seconds) : fault;
  }

  /** An attempt at a track of sound begins, at that piece: the fault that it makes. */
  public synchronized Chaos begin(UnitId piece) {
    return plan.at(ChaosPlan.SOUND, piece, attempts.merge(piece, 1, Integer::sum));
  }

  private Chaos due(double seconds) {
    List<ChaosPlan.Fault> faults = plan.faults();
    for (int position = 0; position < faults.size(); position++) {
      ChaosPlan.Fault fault = faults.get(position);
      if (fault.when() instanceof ChaosPlan.When.AtSecond at
          && seconds >= at.second()
          && made[position] < fault.times()) {
        made[position]++;
        return fault.kind();
      }
    }
    return Chaos.NONE;
  }
}
