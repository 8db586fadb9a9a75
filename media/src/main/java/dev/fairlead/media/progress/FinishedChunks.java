package dev.fairlead.media.progress;

import dev.fairlead.media.plan.Rung;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.store.UnitId;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/** The chunks that are committed in every rung, so that nobody needs their pictures any more. */
public record FinishedChunks(NavigableSet<Long> chunks) {
  public static FinishedChunks of(TranscodePlan plan, Set<UnitId> committed) {
    TreeSet<Long> finished = new TreeSet<>();
    for (UnitId unit : committed) {
      if (plan.rungs().stream()
          .map(Rung::name)
          .allMatch(name -> committed.contains(new UnitId(name, unit.chunk())))) {
        finished.add(unit.chunk());
      }
    }
    return new FinishedChunks(finished);
  }

  /** The first chunk that is still to be decoded. */
  public long next() {
    long next = 0;
    while (chunks.contains(next)) {
      next++;
    }
    return next;
  }
}
