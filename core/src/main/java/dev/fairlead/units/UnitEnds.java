package dev.fairlead.units;

import dev.fairlead.outcome.Outcome;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * How units and parties end, and how that is reported. Owned by the scheduler; callers and
 * listeners are notified on {@link CallbackThread}.
 */
final class UnitEnds {
  private final OpenUnits open;
  private final CallbackThread callbacks;

  /** Parties that leave, or that are to be notified when nothing of them runs any more. */
  private final Set<PartyBooks> unsettled = new LinkedHashSet<>();

  UnitEnds(OpenUnits open, CallbackThread callbacks) {
    this.open = open;
    this.callbacks = callbacks;
  }

  void end(UnitTask<?> unit, Outcome<?> outcome) {
    if (unit.isOver()) {
      return;
    }
    PartyBooks party = open.of(unit);
    if (unit.runs()) {
      party.counters().runs(unit, false);
    }
    open.waitsNoMore(unit);
    party.units().remove(unit);
    unit.end(outcome);
    party.counters().ended(unit, outcome);
    for (UnitAttempt attempt : List.copyOf(unit.attempts())) {
      attempt.cancel();
      open.takeBack(attempt);
    }
    callbacks.post(unit::reportEnd);
    report(party, new UnitListener.Event.Ended(unit, outcome));
  }

  /** No device will take the unit; if it runs somewhere as well, that decides. */
  void refused(UnitTask<?> unit, Throwable reason) {
    if (unit.attempts().isEmpty()) {
      end(unit, new Outcome.Failed<>(reason, unit.failures().attempts()));
    }
  }

  /** Ends every unit that no device has. */
  void endWaiting(Throwable failure) {
    for (PartyBooks party : List.copyOf(open.parties())) {
      List.copyOf(party.units()).forEach(unit -> refused(unit, failure));
    }
  }

  /** Cancels the units of a party that no device has. */
  void withdraw(PartyBooks party, String reason) {
    for (UnitTask<?> unit : List.copyOf(party.units())) {
      if (unit.attempts().isEmpty()) {
        end(unit, new Outcome.Cancelled<>(reason));
      }
    }
  }

  /** Cancels all units of a party. */
  void cancel(PartyBooks party, String reason) {
    List.copyOf(party.units()).forEach(unit -> end(unit, new Outcome.Cancelled<>(reason)));
  }

  /** The party leaves as soon as nothing of it is left. */
  void leaves(PartyBooks party) {
    party.leaves();
    unsettled.add(party);
  }

  /** Completes when nothing of the party runs, or when it is no longer parked. */
  void reportParked(PartyBooks party, CompletableFuture<Void> parked) {
    party.parking().add(parked);
    unsettled.add(party);
  }

  /** Sees to parties of which nothing runs any more. */
  void settle() {
    if (!unsettled.isEmpty()) {
      unsettled.removeIf(this::isSettled);
    }
  }

  private boolean isSettled(PartyBooks party) {
    if (party.runsNothing() || !party.isParked()) {
      party.parking().forEach(parked -> callbacks.post(() -> parked.complete(null)));
      party.parking().clear();
    }
    if (!party.isLeaving()) {
      return party.parking().isEmpty();
    }
    if (party.isAtRest()) {
      open.left(party);
      callbacks.post(() -> party.left().complete(null));
    }
    return party.isAtRest();
  }

  void report(PartyBooks party, UnitListener.Event event) {
    callbacks.post(() -> party.options().service().listener().on(event));
  }
}
