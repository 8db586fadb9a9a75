package dev.fairlead.media.worker;

import dev.fairlead.media.store.UnitId;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The units of chunks that have begun, and which of them no lane has begun. Its owner guards it.
 */
final class UnclaimedUnits {
  private final int rungs;

  /** By chunk, the rungs that are done or that some lane has begun. */
  private final Map<Long, Set<String>> begun = new HashMap<>();

  private final Set<Long> held = new HashSet<>();

  /**
   * A backlog of nothing yet.
   *
   * @param rungs how many units a chunk makes
   * @param done what is not to be done again
   */
  UnclaimedUnits(int rungs, Collection<UnitId> done) {
    this.rungs = rungs;
    done.forEach(this::begin);
  }

  void add(long chunk) {
    held.add(chunk);
  }

  void release(long chunk) {
    held.remove(chunk);
    begun.remove(chunk);
  }

  void begin(UnitId unit) {
    begun.computeIfAbsent(unit.chunk(), any -> new HashSet<>()).add(unit.rung());
  }

  /** Whether nothing is left for the lane that is free next. */
  boolean isEmpty() {
    return held.stream().allMatch(chunk -> begun.getOrDefault(chunk, Set.of()).size() >= rungs);
  }
}
