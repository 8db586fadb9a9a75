package dev.fairlead.units;

import dev.fairlead.lease.PoolException;
import dev.fairlead.lease.Ticket;
import dev.fairlead.pool.DevicePool;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The parties, their units that wait for a device, in order, and the attempts at the others. Owned
 * by the scheduler.
 */
final class OpenUnits {
  private final DevicePool pool;
  private final Map<Long, PartyBooks> parties = new LinkedHashMap<>();
  private final Set<UnitAttempt> attempts = new LinkedHashSet<>();

  OpenUnits(DevicePool pool) {
    this.pool = pool;
  }

  void joined(PartyBooks party) {
    parties.put(party.number(), party);
  }

  void left(PartyBooks party) {
    parties.remove(party.number());
  }

  Collection<PartyBooks> parties() {
    return parties.values();
  }

  /** Whose unit it is. */
  PartyBooks of(UnitTask<?> unit) {
    return Objects.requireNonNull(parties.get(unit.party()));
  }

  Set<UnitAttempt> attempts() {
    return attempts;
  }

  /** Tries of which a device may take a second copy. */
  List<UnitAttempt> cloneable() {
    return attempts.stream().filter(attempt -> of(attempt.unit()).clones()).toList();
  }

  boolean isEmpty() {
    return attempts.isEmpty() && parties.values().stream().allMatch(PartyBooks::isAtRest);
  }

  /** Units that a device may take: those that wait, of parties that are not parked. */
  List<UnitTask<?>> waiting() {
    PartyBooks only = null;
    List<UnitTask<?>> several = null;
    for (PartyBooks party : parties.values()) {
      if (!party.isParked() && !party.waiting().isEmpty()) {
        if (only != null && several == null) {
          several = new ArrayList<>(only.waiting());
        }
        if (several != null) {
          several.addAll(party.waiting());
        }
        only = party;
      }
    }
    return several != null ? several : only == null ? List.of() : only.waiting();
  }

  /** How many groups the party has that has most. */
  int groups() {
    int groups = 1;
    for (PartyBooks party : parties.values()) {
      groups = Math.max(groups, party.options().groups());
    }
    return groups;
  }

  boolean areWaiting() {
    for (PartyBooks party : parties.values()) {
      if (!party.isParked() && !party.waiting().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** Whether a unit waits, or may go to another device than the one that has it. */
  boolean needsDevices() {
    return areWaiting()
        || attempts.stream()
            .anyMatch(attempt -> !attempt.hasStarted() || of(attempt.unit()).clones());
  }

  /**
   * Leaves an attempt with the pool, for exactly its device.
   *
   * @throws PoolException if the pool does not take it; if it might later, the unit waits again
   */
  void launch(UnitAttempt attempt) {
    UnitTask<?> unit = attempt.unit();
    PartyBooks party = of(unit);
    party.waiting().remove(unit);
    party.attempts(1);
    attempts.add(attempt);
    attempt.served().attempts().add(attempt);
    unit.attempts().add(attempt);
    try {
      Ticket _ = pool.submit(unit.demandOn(attempt.served()), attempt);
      unit.input().takenBy(attempt.served().device());
    } catch (PoolException refused) {
      release(attempt);
      if (refused instanceof PoolException.Rejected) {
        waitAgain(unit);
      }
      throw refused;
    }
  }

  /** Takes back an attempt that has not begun; false if it has. */
  boolean takeBack(UnitAttempt attempt) {
    Ticket ticket = attempt.ticket();
    if (ticket == null || !pool.withdraw(ticket)) {
      return false;
    }
    release(attempt);
    waitAgain(attempt.unit());
    return true;
  }

  /** An attempt is over. */
  void release(UnitAttempt attempt) {
    UnitTask<?> unit = attempt.unit();
    PartyBooks party = of(unit);
    attempts.remove(attempt);
    party.attempts(-1);
    attempt.served().attempts().remove(attempt);
    attempt.served().rests(false);
    unit.attempts().remove(attempt);
    if (attempt.hasStarted() && !unit.isOver() && !unit.runs()) {
      party.counters().runs(unit, false);
    }
  }

  private void waitAgain(UnitTask<?> unit) {
    if (!unit.isOver() && unit.attempts().isEmpty()) {
      of(unit).waiting().add(unit);
    }
  }
}
