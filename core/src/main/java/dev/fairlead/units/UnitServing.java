package dev.fairlead.units;

import dev.fairlead.lease.PoolException;
import dev.fairlead.policy.Placement;
import dev.fairlead.pool.DevicePool;

/** Gives waiting units to free devices, as the service policy says. Owned by the scheduler. */
final class UnitServing {
  private final DevicePool pool;
  private final DeviceRoster roster;
  private final OpenUnits open;
  private final UnitEnds ends;
  private final CheckedServicePolicy policy;
  private final Stragglers stragglers;
  private final NextLook nextLook;
  private final UnitAttempt.Owner owner;

  /**
   * @param owner hears of the attempts
   */
  UnitServing(
      DevicePool pool,
      DeviceRoster roster,
      OpenUnits open,
      UnitEnds ends,
      CheckedServicePolicy policy,
      Stragglers stragglers,
      NextLook nextLook,
      UnitAttempt.Owner owner) {
    this.pool = pool;
    this.roster = roster;
    this.open = open;
    this.ends = ends;
    this.policy = policy;
    this.stragglers = stragglers;
    this.nextLook = nextLook;
    this.owner = owner;
  }

  /** Devices that others use as well come last: what is idle can start at once. */
  void serve() {
    for (ServedDevice served : roster.unsharedFirst()) {
      while (roster.haveRoom(served, owner.now()) && !served.isResting()) {
        served.rests(!serve(served));
      }
    }
  }

  /** Gives the device one more unit; false if there is none for it now. */
  private boolean serve(ServedDevice served) {
    long now = owner.now();
    UnitTask<?> unit =
        policy.choose(
            CheckedServicePolicy.withStuck(open.waiting(), open.attempts()),
            open.groups(),
            served,
            now);
    if (unit != null && !unit.attempts().isEmpty()) {
      boolean freed = startsNow(unit, served) && open.takeBack(unit.attempts().getFirst());
      unit = freed ? unit : policy.choose(open.waiting(), open.groups(), served, now);
    }
    return unit != null && launch(unit, served, false);
  }

  /** Leaves the unit with the pool, for exactly this device; false if it does not take it. */
  private boolean launch(UnitTask<?> unit, ServedDevice served, boolean clone) {
    try {
      open.launch(new UnitAttempt(owner, unit, served, clone, roster.sessions().areTaken(served)));
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
          launch(straggler.unit(), served, true);
        }
      }
    }
  }
}
