package dev.fairlead.media.supervise;

import dev.fairlead.media.store.UnitId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Who may have killed a worker: those who were in it when it died. Its owner guards it.
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

  void add(Set<UnitId> known) {
    suspects.addAll(known);
  }

  boolean contains(UnitId unit) {
    return suspects.contains(unit);
  }

  void enter(UnitId unit, boolean track) {
    (track ? tracks : units).add(unit);
  }

  void leave(UnitId unit) {
    units.remove(unit);
    tracks.remove(unit);
  }

  /** Nobody in the worker is to blame for its end but these. */
  void blame(Set<UnitId> guilty) {
    units.retainAll(guilty);
    tracks.retainAll(guilty);
  }

  /** The worker died; answers who was in it. */
  Set<UnitId> died() {
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

  /** Whether it has killed its worker on its own too often; it may begin anew afterwards. */
  boolean condemns(UnitId unit) {
    return crashes.getOrDefault(unit, 0) >= CRASHES_ALONE && crashes.remove(unit) != null;
  }
}
