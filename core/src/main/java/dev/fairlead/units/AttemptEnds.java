package dev.fairlead.units;

import dev.fairlead.device.Fault;
import dev.fairlead.lease.PoolException;
import java.util.function.Consumer;

/**
 * What follows from the beginning and the end of an attempt: its unit is over, or waits again, here
 * or elsewhere. Owned by the scheduler.
 */
final class AttemptEnds {
  private final OpenUnits open;
  private final UnitAccounts accounts;
  private final DeviceRoster roster;
  private final Judge judge;
  private final UnitEnds ends;
  private final Stragglers stragglers;
  private final Runnable look;
  private final Consumer<Runnable> inbox;

  /**
   * @param look has the scheduler look at the devices
   * @param inbox takes errands for the scheduler, from any thread
   */
  AttemptEnds(
      OpenUnits open,
      UnitAccounts accounts,
      DeviceRoster roster,
      Judge judge,
      UnitEnds ends,
      Stragglers stragglers,
      Runnable look,
      Consumer<Runnable> inbox) {
    this.open = open;
    this.accounts = accounts;
    this.roster = roster;
    this.judge = judge;
    this.ends = ends;
    this.stragglers = stragglers;
    this.look = look;
    this.inbox = inbox;
  }

  void started(UnitAttempt attempt, long now) {
    UnitTask<?> unit = attempt.unit();
    PartyBooks party = open.of(unit);
    if (!unit.isOver() && !unit.runs()) {
      party.counters().runs(unit, true);
    }
    ServedDevice served = attempt.served();
    open.unlist(unit);
    attempt.begun(now, served.ends(), roster.sessions().ends(served));
    if (served.attempts().stream().filter(UnitAttempt::hasStarted).count() > 1) {
      served.attempts().forEach(UnitAttempt::besideOthers);
    }
    if (attempt.isClone()) {
      party.counters().cloned(served.device());
    }
    ends.report(party, new UnitListener.Event.Started(unit, served.device(), attempt.why()));
  }

  void ended(UnitAttempt attempt, UnitAttempt.Ending ending, long now) {
    if (!open.attempts().contains(attempt)) {
      return;
    }
    UnitTask<?> unit = attempt.unit();
    ServedDevice served = attempt.served();
    PartyBooks party = open.of(unit);
    if (attempt.hasStarted()) {
      party.counters().busy(served.device(), attempt.elapsedNanos(now));
    }
    accounts.ended(attempt, ending, now);
    open.release(attempt);
    Fault fault =
        ending instanceof UnitAttempt.Ending.Failed(Throwable cause) ? Fault.of(cause) : Fault.WORK;
    boolean crowded = fault == Fault.OUT_OF_MEMORY && attempt.wasBesideOthers();
    if (fault != Fault.BUSY && !crowded) {
      served.ended();
    }
    if (unit.isOver()) {
      countLateFailure(party, served, ending);
      return;
    }
    switch (ending) {
      case UnitAttempt.Ending.Done(Object value, var load, long nanos) -> {
        roster.sessions().succeeded(served, attempt.isBeyond());
        stragglers.ended(value);
        ends.end(unit, unit.committed(value, served.device(), load, nanos));
      }
      case UnitAttempt.Ending.Failed(UnfitForGroup signal) -> {
        judge.strike(party, unit.group(), served.id(), String.valueOf(signal.getMessage()));
        requeue(unit, served, signal);
      }
      case UnitAttempt.Ending.Failed(NotNow signal) -> setAside(unit, served, signal);
      case UnitAttempt.Ending.Failed(Throwable cause)
          when fault == Fault.BUSY && roster.sessions().refused(attempt, now) ->
          requeue(unit, served, cause);
      case UnitAttempt.Ending.Failed(Throwable cause) when crowded -> {
        // It takes fewer at a time, and the unit has not failed; alone, it would be too large.
        roster.sessions().lackedMemory(attempt, now);
        requeue(unit, served, cause);
      }
      case UnitAttempt.Ending.Failed(Throwable cause) -> failed(unit, served, cause);
      case UnitAttempt.Ending.Unplaced(PoolException.Rejected reason) ->
          requeue(unit, served, reason);
      case UnitAttempt.Ending.Unplaced(Throwable reason) -> ends.refused(unit, reason);
    }
  }

  /**
   * The pool may report that a device is lost before the attempt does that found it out, and the
   * unit may be over by then. The device has failed all the same, unless the attempt was merely
   * cancelled.
   */
  private static void countLateFailure(
      PartyBooks party, ServedDevice served, UnitAttempt.Ending ending) {
    if (ending instanceof UnitAttempt.Ending.Failed(Throwable cause)) {
      Fault fault = Fault.of(cause);
      if (fault != Fault.WORK && !fault.isLackOfRoom()) {
        party.counters().failed(served.device());
      }
    }
  }

  private void failed(UnitTask<?> unit, ServedDevice served, Throwable cause) {
    PartyBooks party = open.of(unit);
    unit.failed(served.device(), cause);
    party.counters().failed(served.device());
    // How things stand decides whether a device is left to try it.
    look.run();
    if (unit.isOver()) {
      return;
    }
    int tries = party.options().service().tries();
    if (unit.failures().areTooMany(tries, roster.hasFresh(unit))) {
      ends.refused(unit, cause);
    } else {
      requeue(unit, served, cause);
    }
  }

  private void requeue(UnitTask<?> unit, ServedDevice from, Throwable reason) {
    if (unit.isOver() || !unit.attempts().isEmpty()) {
      return;
    }
    if (Fault.of(reason) != Fault.BUSY || !from.refusedBefore()) {
      ends.report(open.of(unit), new UnitListener.Event.Requeued(unit, from.device(), reason));
    }
    waitAgain(unit);
  }

  /** The unit waits for something before it waits for a device. */
  private void setAside(UnitTask<?> unit, ServedDevice from, NotNow signal) {
    if (unit.attempts().isEmpty()) {
      open.waitsNoMore(unit);
      String reason = String.valueOf(signal.getMessage());
      ends.report(open.of(unit), new UnitListener.Event.SetAside(unit, from.device(), reason));
      signal.until().whenComplete((_, _) -> inbox.accept(() -> backFromAside(unit)));
    }
  }

  private void backFromAside(UnitTask<?> unit) {
    if (!unit.isOver()) {
      waitAgain(unit);
    }
  }

  private void waitAgain(UnitTask<?> unit) {
    open.waits(unit);
    judge.judge(unit);
    roster.wakeAll();
  }
}
