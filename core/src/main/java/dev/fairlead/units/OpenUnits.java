package dev.fairlead.units;

import dev.fairlead.lease.PoolException;
import dev.fairlead.lease.Ticket;
import dev.fairlead.policy.FairJob;
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
 * The parties, their units that devices may take, and the attempts at the others. Owned by the
 * scheduler.
 *
 * <p>A unit is listed while a device may take it: it waits and its party is not parked, or it is
 * stuck in a queue. Each knows its place in the list of all, so that it leaves without a search;
 * the last one takes its place.
 */
final class OpenUnits {
  private final DevicePool pool;
  private final UnitAccounts accounts;
  private final Map<Long, PartyBooks> parties = new LinkedHashMap<>();
  private final List<UnitTask<?>> listed = new ArrayList<>();
  private final Set<UnitAttempt> attempts = new LinkedHashSet<>();
  private int listedAndWaiting;
  private int mostGroups = 1;

  OpenUnits(DevicePool pool, UnitAccounts accounts) {
    this.pool = pool;
    this.accounts = accounts;
  }

  void joined(PartyBooks party) {
    parties.put(party.number(), party);
    mostGroups = Math.max(mostGroups, party.options().groups());
  }

  void left(PartyBooks party) {
    parties.remove(party.number());
    if (parties.isEmpty()) {
      mostGroups = 1;
    }
  }

  Collection<PartyBooks> parties() {
    return parties.values();
  }

  /** Whose unit it is. */
  PartyBooks of(UnitTask<?> unit) {
    return of(unit.party());
  }

  PartyBooks of(FairJob job) {
    return of(job.number());
  }

  private PartyBooks of(long number) {
    return Objects.requireNonNull(parties.get(number));
  }

  /** How many groups the party has that has most, of those that have been there of late. */
  int groups() {
    return mostGroups;
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

  /** Units that a device may take. */
  List<UnitTask<?>> listed() {
    return listed;
  }

  /** Whether a unit waits of a party that is not parked. */
  boolean areWaiting() {
    return listedAndWaiting > 0;
  }

  /** Whether a unit waits, or may go to another device than the one that has it. */
  boolean needsDevices() {
    return areWaiting()
        || attempts.stream()
            .anyMatch(attempt -> !attempt.hasStarted() || of(attempt.unit()).clones());
  }

  // ---- units that wait

  /** From now on the unit waits for a device. */
  void waits(UnitTask<?> unit) {
    unlist(unit);
    unit.waits(true);
    list(unit);
  }

  /** From now on it does not. */
  void waitsNoMore(UnitTask<?> unit) {
    unlist(unit);
    unit.waits(false);
  }

  private void list(UnitTask<?> unit) {
    PartyBooks party = of(unit);
    if (!party.isParked()) {
      boolean whole = !party.partial().contains(unit.order());
      unit.listed(listed.size(), whole);
      listed.add(unit);
      party.offered(whole).add(unit);
      listedAndWaiting += unit.waits() ? 1 : 0;
      accounts.waiting(party, whole);
    }
  }

  void unlist(UnitTask<?> unit) {
    if (unit.isListed()) {
      PartyBooks party = of(unit);
      UnitTask<?> last = listed.removeLast();
      if (!last.equals(unit)) {
        listed.set(unit.place(), last);
        last.moved(unit.place());
      }
      unit.unlisted();
      party.offered(unit.standsWithWhole()).remove(unit);
      listedAndWaiting -= unit.waits() ? 1 : 0;
      accounts.waiting(party, unit.standsWithWhole());
    }
  }

  /** The party is parked or goes on, or what its units read is or is not in the making. */
  void relist(PartyBooks party) {
    for (UnitTask<?> unit : party.units()) {
      if (unit.waits()) {
        unlist(unit);
        list(unit);
      }
    }
  }

  /** Units that stand in a device's queue for a while may be taken by others as well. */
  void listStuck() {
    for (UnitAttempt attempt : attempts) {
      UnitTask<?> unit = attempt.unit();
      if (attempt.isStuck() && !attempt.isClone() && !unit.isOver() && !unit.isListed()) {
        list(unit);
      }
    }
  }

  // ---- attempts

  /**
   * Leaves an attempt with the pool, for exactly its device.
   *
   * @throws PoolException if the pool does not take it; if it might later, the unit waits again
   */
  void launch(UnitAttempt attempt) {
    UnitTask<?> unit = attempt.unit();
    PartyBooks party = of(unit);
    accounts.started(attempt, party);
    waitsNoMore(unit);
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
    accounts.returned(attempt);
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
      waits(unit);
    }
  }
}
