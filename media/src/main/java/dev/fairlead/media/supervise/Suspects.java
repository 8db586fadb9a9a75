package dev.fairlead.media.supervise;

import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.wire.Failure;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Who may have killed a worker: those who were in it when it died. Thread-safe.
 *
 * <p>Units that were in a dead worker are suspects and run one at a time, so that the next crash
 * has one culprit. A track takes long, so it is left beside them, and becomes a suspect only when
 * it was there with one unit or none; a crash with a track inside says nothing about the unit. A
 * track that is a suspect runs alone to its end, and units come again.
 */
final class Suspects {
  static final int CRASHES_ALONE = 3;

  /** For how long others stay out for a suspect whose device may have gone. */
  static final Duration CLAIM = Duration.ofSeconds(10);

  private final Set<UnitId> units = new HashSet<>();
  private final Set<UnitId> tracks = new HashSet<>();
  private final Set<UnitId> suspects = new HashSet<>();
  private final Map<UnitId, Integer> crashes = new HashMap<>();

  /** Suspects that have asked to come in, and when they did so last. */
  private final Map<UnitId, Long> claims = new HashMap<>();

  private final LongSupplier nanos;

  Suspects() {
    this(System::nanoTime);
  }

  Suspects(LongSupplier nanos) {
    this.nanos = nanos;
  }

  synchronized void add(Set<UnitId> known) {
    suspects.addAll(known);
  }

  synchronized boolean contains(UnitId unit) {
    return suspects.contains(unit);
  }

  /**
   * Lets a unit or track in; false if it has to come again. A suspect comes in alone: while it
   * waits for that no other unit comes in, unless it has not asked for a while.
   */
  synchronized boolean enter(UnitId unit, boolean track) {
    long now = nanos.getAsLong();
    claims.values().removeIf(since -> now - since > CLAIM.toNanos());
    boolean admitted;
    if (suspects.contains(unit)) {
      admitted = units.isEmpty() && tracks.stream().noneMatch(suspects::contains);
      claims.put(unit, now);
    } else {
      // A track takes long, so nothing waits for it while it is no suspect.
      admitted = track || (claims.isEmpty() && !isSuspectInside());
    }
    if (admitted) {
      claims.remove(unit);
      (track ? tracks : units).add(unit);
    }
    return admitted;
  }

  private boolean isSuspectInside() {
    return Stream.concat(units.stream(), tracks.stream()).anyMatch(suspects::contains);
  }

  synchronized void leave(UnitId unit) {
    units.remove(unit);
    tracks.remove(unit);
    claims.remove(unit); // of a clone, which came while it was inside
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
   * Gives a unit up that has killed its worker on its own too often. Another device may try it,
   * once for each further crash.
   *
   * @throws FailedException if it has
   */
  synchronized void requireInnocent(UnitId unit, Failure last) {
    if (condemns(unit)) {
      throw new FailedException(
          new Failure(
              Failure.Kind.WORK,
              "%s killed its worker process %d times: %s"
                  .formatted(unit, crashes.get(unit), last.reason())));
    }
  }

  synchronized boolean condemns(UnitId unit) {
    return crashes.getOrDefault(unit, 0) >= CRASHES_ALONE;
  }
}
