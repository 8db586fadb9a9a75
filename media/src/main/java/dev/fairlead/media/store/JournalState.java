package dev.fairlead.media.store;

import dev.fairlead.device.DeviceId;
import dev.fairlead.media.plan.Fingerprint;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a journal says, all entries taken together.
 *
 * <p>A unit that was started and neither committed nor failed when its process died is a suspect:
 * it may be what killed it. It stays one until it is committed or condemned.
 */
public final class JournalState {
  private final NavigableMap<String, JournalEntry.Promise> promises = new TreeMap<>();
  private final NavigableMap<UnitId, JournalEntry.Committed> committed = new TreeMap<>();
  private final NavigableMap<String, JournalEntry.Sound> sounds = new TreeMap<>();
  private final NavigableMap<UnitId, JournalEntry.Condemned> condemned = new TreeMap<>();
  private final NavigableMap<UnitId, List<JournalEntry.Failed>> failures = new TreeMap<>();
  private final NavigableMap<UnitId, Integer> attempts = new TreeMap<>();
  private final NavigableMap<UnitId, Integer> crashes = new TreeMap<>();

  /** On which devices: the last units may be tried on several at once. */
  private final NavigableMap<UnitId, Set<DeviceId>> inFlight = new TreeMap<>();

  private final NavigableSet<UnitId> suspects = new TreeSet<>();
  private final Set<UnitId> lost = new HashSet<>();
  private final NavigableMap<String, JournalEntry.Published> published = new TreeMap<>();
  private Optional<Fingerprint> fingerprint = Optional.empty();
  private boolean finished;

  JournalState() {}

  JournalState copy() {
    JournalState copy = new JournalState();
    copy.promises.putAll(promises);
    copy.committed.putAll(committed);
    copy.sounds.putAll(sounds);
    copy.condemned.putAll(condemned);
    failures.forEach((unit, all) -> copy.failures.put(unit, List.copyOf(all)));
    copy.attempts.putAll(attempts);
    copy.crashes.putAll(crashes);
    inFlight.forEach((unit, devices) -> copy.inFlight.put(unit, Set.copyOf(devices)));
    copy.suspects.addAll(suspects);
    copy.lost.addAll(lost);
    copy.published.putAll(published);
    copy.fingerprint = fingerprint;
    copy.finished = finished;
    return copy;
  }

  void apply(JournalEntry entry) {
    switch (entry) {
      case JournalEntry.Begun begun -> {
        fingerprint = Optional.of(begun.fingerprint());
        finished = false;
        processDied();
      }
      case JournalEntry.Promise promise -> {
        JournalEntry.Promise before = promises.put(promise.rung(), promise);
        if (before != null && !before.equals(promise)) {
          committed.keySet().removeIf(unit -> unit.rung().equals(promise.rung()));
          sounds.remove(promise.rung());
        }
      }
      case JournalEntry.Started started -> {
        inFlight.computeIfAbsent(started.unit(), _ -> new HashSet<>()).add(started.device());
        attempts.merge(started.unit(), 1, Integer::sum);
      }
      case JournalEntry.Committed done -> {
        committed.put(done.unit(), done);
        lost.remove(done.unit());
        settle(done.unit());
      }
      case JournalEntry.Sound sound -> sounds.put(sound.track(), sound);
      case JournalEntry.Failed failed -> {
        failures.computeIfAbsent(failed.unit(), _ -> new ArrayList<>()).add(failed);
        inFlight.computeIfPresent(failed.unit(), (_, devices) -> without(devices, failed.device()));
      }
      case JournalEntry.Crashed crashed -> {
        crashed.inFlight().forEach(unit -> crashes.merge(unit, 1, Integer::sum));
        suspects.addAll(crashed.inFlight());
        inFlight.keySet().removeAll(crashed.inFlight());
      }
      case JournalEntry.Condemned given -> {
        condemned.put(given.unit(), given);
        settle(given.unit());
      }
      case JournalEntry.Published file -> published.put(file.path(), file);
      case JournalEntry.Finished _ -> {
        finished = true;
        inFlight.clear();
        suspects.clear();
      }
    }
  }

  private void settle(UnitId unit) {
    inFlight.remove(unit);
    suspects.remove(unit);
  }

  private static @Nullable Set<DeviceId> without(Set<DeviceId> devices, DeviceId device) {
    devices.remove(device);
    return devices.isEmpty() ? null : devices;
  }

  /** Whatever was in flight is a suspect now. */
  void processDied() {
    suspects.addAll(inFlight.keySet());
    suspects.removeAll(committed.keySet());
    suspects.removeAll(condemned.keySet());
    inFlight.clear();
  }

  /** The file of a unit is not there as it was committed: the unit has to be done again. */
  void lose(UnitId unit) {
    committed.remove(unit);
    sounds.remove(unit.rung());
    lost.add(unit);
  }

  /** What the latest run was about; empty if none has begun. */
  public Optional<Fingerprint> fingerprint() {
    return fingerprint;
  }

  /** What the chunks of each rung promise. */
  public Map<String, JournalEntry.Promise> promises() {
    return Collections.unmodifiableMap(promises);
  }

  /** What is done, in order of rung and chunk. */
  public NavigableMap<UnitId, JournalEntry.Committed> committed() {
    return Collections.unmodifiableNavigableMap(committed);
  }

  /** The audio tracks that are complete, by name. */
  public Map<String, JournalEntry.Sound> sounds() {
    return Collections.unmodifiableMap(sounds);
  }

  public NavigableSet<UnitId> suspects() {
    return Collections.unmodifiableNavigableSet(suspects);
  }

  public Map<UnitId, JournalEntry.Condemned> condemned() {
    return Collections.unmodifiableMap(condemned);
  }

  /** Units that were committed, and whose files have gone or changed their size since. */
  public Set<UnitId> lost() {
    return Collections.unmodifiableSet(lost);
  }

  /** How often a unit was started. */
  public int attempts(UnitId unit) {
    return attempts.getOrDefault(unit, 0);
  }

  /** How often a worker died while a unit was in flight. */
  public int crashes(UnitId unit) {
    return crashes.getOrDefault(unit, 0);
  }

  /** How devices failed with a unit. */
  public List<JournalEntry.Failed> failures(UnitId unit) {
    return List.copyOf(failures.getOrDefault(unit, List.of()));
  }

  /** By path, what was written for others to read, or was about to be. */
  public NavigableMap<String, JournalEntry.Published> published() {
    return Collections.unmodifiableNavigableMap(published);
  }

  /** Whether a job has begun, and ended before there was anything to keep. */
  boolean hasMadeNothing() {
    return !isFinished()
        && promises.isEmpty()
        && attempts.isEmpty()
        && committed.isEmpty()
        && published.isEmpty();
  }

  public boolean isFinished() {
    return finished;
  }
}
