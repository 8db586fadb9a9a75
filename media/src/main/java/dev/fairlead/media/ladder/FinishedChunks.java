package dev.fairlead.media.ladder;

import dev.fairlead.media.plan.Rung;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.store.UnitId;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/** The chunks that are committed in every rung, so that their pictures are not needed any more. */
record FinishedChunks(NavigableSet<Long> chunks) {
  static FinishedChunks of(TranscodePlan plan, Set<UnitId> committed) {
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
  long next() {
    long next = 0;
    while (chunks.contains(next)) {
      next++;
    }
    return next;
  }
}
