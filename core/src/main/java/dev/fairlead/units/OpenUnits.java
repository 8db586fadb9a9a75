package dev.fairlead.units;

import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.PoolException;
import dev.fairlead.pool.Ticket;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The units that wait for a device, in order, and the attempts at the others. Owned by the
 * scheduler.
 */
final class OpenUnits {
  private final DevicePool pool;
  private final UnitCounters counters;
  private final List<UnitTask<?>> waiting = new ArrayList<>();
  private final Set<UnitAttempt> attempts = new LinkedHashSet<>();

  OpenUnits(DevicePool pool, UnitCounters counters) {
    this.pool = pool;
    this.counters = counters;
  }

  List<UnitTask<?>> waiting() {
    return waiting;
  }

  Set<UnitAttempt> attempts() {
    return attempts;
  }

  boolean isEmpty() {
    return waiting.isEmpty() && attempts.isEmpty();
  }

  List<UnitTask<?>> all() {
    List<UnitTask<?>> all = new ArrayList<>(waiting);
    attempts.forEach(attempt -> all.add(attempt.unit()));
    return all;
  }

  /**
   * Leaves an attempt with the pool, for exactly its device.
   *
   * @throws PoolException if the pool does not take it; if it might later, the unit waits again
   */
  void launch(UnitAttempt attempt) {
    UnitTask<?> unit = attempt.unit();
    waiting.remove(unit);
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
    attempts.remove(attempt);
    attempt.served().attempts().remove(attempt);
    attempt.served().rests(false);
    unit.attempts().remove(attempt);
    if (attempt.hasStarted() && !unit.isOver() && !unit.runs()) {
      counters.runs(unit, false);
    }
  }

  private void waitAgain(UnitTask<?> unit) {
    if (!unit.isOver() && unit.attempts().isEmpty()) {
      waiting.add(unit);
    }
  }
}
