package dev.fairlead.media.supervise;

import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.wire.Failure;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Who may have killed a worker: those who were in it when it died. Thread-safe.
 *
 * <p>Units that were in a dead worker are suspects and run one at a time, so that the next crash
 * has one culprit. A track takes long, so it is left beside them, and becomes a suspect only when
 * it was there with one unit or none; a crash with a track inside says nothing about the unit. A
 * track that is a suspect runs alone to its end, and units wait for it.
 */
final class Suspects {
  static final int CRASHES_ALONE = 3;

  private final Set<UnitId> units = new HashSet<>();
  private final Set<UnitId> tracks = new HashSet<>();
  private final Set<UnitId> suspects = new HashSet<>();
  private final Map<UnitId, Integer> crashes = new HashMap<>();
  private final ReentrantReadWriteLock aloneOrTogether = new ReentrantReadWriteLock(true);

  /** What a unit or track takes while it is in a worker, so that a suspect is there alone. */
  synchronized Lock turnOf(UnitId unit, boolean track) {
    if (suspects.contains(unit)) {
      return aloneOrTogether.writeLock();
    }
    // Nobody waits for a track while it is no suspect: it takes long.
    return track ? new ReentrantLock() : aloneOrTogether.readLock();
  }

  synchronized void add(Set<UnitId> known) {
    suspects.addAll(known);
  }

  synchronized boolean contains(UnitId unit) {
    return suspects.contains(unit);
  }

  synchronized void enter(UnitId unit, boolean track) {
    (track ? tracks : units).add(unit);
  }

  synchronized void leave(UnitId unit) {
    units.remove(unit);
    tracks.remove(unit);
  }

  /** Only these units of the worker are to blame for its end. */
  synchronized void blame(Set<UnitId> guilty) {
    units.retainAll(guilty);
    tracks.retainAll(guilty);
  }

  /** The worker died; answers who was in it. */
  synchronized Set<UnitId> died() {
    Set<UnitId> victims = new HashSet<>(units);
    victims.addAll(tracks);
    suspects.addAll(units);
    if (units.size() <= 1) {
      suspects.addAll(tracks);
    }
    if (victims.size() == 1) {
      victims.forEach(alone -> crashes.merge(alone, 1, Integer::sum));
    }
    return victims;
  }

  /**
   * Gives a unit up that has killed its worker on its own too often; it may begin anew afterwards.
   *
   * @throws FailedException if it has
   */
  synchronized void requireInnocent(UnitId unit, Failure last) {
    if (condemns(unit)) {
      throw new FailedException(
          new Failure(
              Failure.Kind.WORK,
              "%s killed its worker process %d times: %s"
                  .formatted(unit, CRASHES_ALONE, last.reason())));
    }
  }

  synchronized boolean condemns(UnitId unit) {
    return crashes.getOrDefault(unit, 0) >= CRASHES_ALONE && crashes.remove(unit) != null;
  }
}
