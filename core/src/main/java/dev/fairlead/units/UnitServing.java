package dev.fairlead.units;

import dev.fairlead.lease.PoolException;
import dev.fairlead.policy.FairBooks;
import dev.fairlead.policy.Placement;
import dev.fairlead.policy.Turn;
import dev.fairlead.pool.DevicePool;
import java.util.Optional;

/** Gives waiting units to free devices, as the service policy says. Owned by the scheduler. */
final class UnitServing {
  private final DevicePool pool;
  private final DeviceRoster roster;
  private final OpenUnits open;
  private final FairBooks books;
  private final UnitEnds ends;
  private final CheckedServicePolicy policy;
  private final Stragglers stragglers;
  private final NextLook nextLook;
  private final Assignments assignments;
  private final UnitAttempt.Owner owner;

  /**
   * @param owner is notified of the attempts
   */
  UnitServing(
      DevicePool pool,
      DeviceRoster roster,
      OpenUnits open,
      FairBooks books,
      UnitEnds ends,
      CheckedServicePolicy policy,
      Stragglers stragglers,
      NextLook nextLook,
      Assignments assignments,
      UnitAttempt.Owner owner) {
    this.pool = pool;
    this.roster = roster;
    this.open = open;
    this.books = books;
    this.ends = ends;
    this.policy = policy;
    this.stragglers = stragglers;
    this.nextLook = nextLook;
    this.assignments = assignments;
    this.owner = owner;
  }

  /** Devices that others use as well come last: what is idle can start at once. */
  void serve() {
    books.pass(owner.now());
    open.listStuck();
    for (ServedDevice served : roster.unsharedFirst()) {
      while (roster.haveRoom(served, owner.now()) && !served.isResting()) {
        served.rests(!serve(served));
      }
    }
  }

  /** Gives the device one more unit; false if there is none for it now. */
  private boolean serve(ServedDevice served) {
    boolean someStay = false;
    UnitTask<?> unit = policy.choose(served, owner.now());
    while (unit != null && !unit.attempts().isEmpty() && !isFreed(unit, served)) {
      someStay = true;
      open.unlist(unit);
      unit = policy.choose(served, owner.now());
    }
    boolean launched = unit != null && launch(unit, served, false, turn(unit, served));
    if (someStay) {
      open.listStuck();
    }
    return launched;
  }

  /** Whose turn it is, as far as that is why the unit is given away. */
  private Optional<Turn> turn(UnitTask<?> unit, ServedDevice served) {
    try {
      return policy.turn(served, owner.now()).filter(turn -> turn.unit() == unit.place());
    } catch (RuntimeException | Error silent) {
      return Optional.empty(); // it has answered well when it was asked what to do
    }
  }

  /** Takes a unit out of the queue in which it stands, if the device can start it at once. */
  private boolean isFreed(UnitTask<?> unit, ServedDevice served) {
    return startsNow(unit, served) && open.takeBack(unit.attempts().getFirst());
  }

  /** Leaves the unit with the pool, for exactly this device; false if it does not take it. */
  private boolean launch(
      UnitTask<?> unit, ServedDevice served, boolean clone, Optional<Turn> turn) {
    Assignment why = assignments.of(unit, served, clone, turn, owner.now());
    try {
      open.launch(new UnitAttempt(owner, unit, served, why, roster.sessions().areTaken(served)));
      return true;
    } catch (PoolException refused) {
      nextLook.atOnce();
      if (!(refused instanceof PoolException.Rejected)) {
        ends.refused(unit, refused);
      }
      return false;
    }
  }

  private boolean startsNow(UnitTask<?> unit, ServedDevice served) {
    return pool.peek(unit.demandOn(served)) instanceof Placement.Place;
  }

  /**
   * When nothing waits, of any party, idle devices try what they would finish sooner than the
   * device that has it.
   */
  void cloneStragglers() {
    if (open.attempts().isEmpty() || open.areWaiting()) {
      return;
    }
    for (ServedDevice served : roster.all()) {
      if (roster.haveRoom(served, owner.now()) && !served.isShared()) {
        UnitAttempt straggler = stragglers.worthCloning(open.cloneable(), served, owner.now());
        if (straggler != null && startsNow(straggler.unit(), served)) {
          straggler.unit().cloned();
          launch(straggler.unit(), served, true, Optional.empty());
        }
      }
    }
  }
}
