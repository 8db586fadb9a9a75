package dev.fairlead.media.worker;

import dev.fairlead.media.store.UnitId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What lanes can do with the chunks that have begun: who reads now, and which units nobody has
 * begun. Its owner guards it.
 */
final class Backlog {
  private final int lanes;
  private final int rungs;

  /** By chunk, the rungs that some lane has begun. */
  private final Map<Long, Set<String>> begun = new HashMap<>();

  private int reading;

  Backlog(int lanes, int rungs) {
    this.lanes = lanes;
    this.rungs = rungs;
  }

  void add(long chunk) {
    begun.putIfAbsent(chunk, new HashSet<>());
  }

  void release(long chunk) {
    begun.remove(chunk);
  }

  void read(UnitId unit) {
    reading++;
    Set<String> its = begun.get(unit.chunk());
    if (its != null) {
      its.add(unit.rung());
    }
  }

  void leave() {
    reading--;
  }

  /** Whether a lane has nothing to do, or will have nothing when it is done with what it reads. */
  boolean isShort() {
    return reading < lanes || begun.values().stream().allMatch(its -> its.size() >= rungs);
  }
}
