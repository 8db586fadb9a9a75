package dev.fairlead.units;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.lease.PoolException;
import dev.fairlead.outcome.TaskException;
import dev.fairlead.policy.Demand;
import dev.fairlead.pool.DevicePool;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Works out which devices can take a unit some day, and ends one that waits and that none ever can.
 * Owned by the scheduler.
 */
final class Judge {
  private final DevicePool pool;
  private final DeviceRoster roster;
  private final OpenUnits open;
  private final UnitEnds ends;

  Judge(DevicePool pool, DeviceRoster roster, OpenUnits open, UnitEnds ends) {
    this.pool = pool;
    this.roster = roster;
    this.open = open;
    this.ends = ends;
  }

  void judge(UnitTask<?> unit) {
    judge(unit, new IdentityHashMap<>());
  }

  /** Devices have come or gone. */
  void judgeAll() {
    IdentityHashMap<Demand, List<Device>> known = new IdentityHashMap<>();
    for (PartyBooks party : List.copyOf(open.parties())) {
      judge(party.units(), known);
    }
  }

  private void judge(Collection<UnitTask<?>> units, IdentityHashMap<Demand, List<Device>> known) {
    for (UnitTask<?> unit : List.copyOf(units)) {
      judge(unit, known);
    }
  }

  private void judge(UnitTask<?> unit, IdentityHashMap<Demand, List<Device>> known) {
    Throwable reason;
    try {
      List<Device> candidates = known.computeIfAbsent(unit.demand(), pool::candidatesFor);
      Strikes strikes = open.of(unit).strikes();
      List<Device> fit = strikes.without(unit.group(), candidates);
      unit.able(roster.numbers(fit));
      if (!fit.isEmpty()) {
        return;
      }
      reason = new TaskException.GroupStruckOff(unit.group(), strikes.of(unit.group()));
    } catch (PoolException.Rejected noDeviceEver) {
      reason = noDeviceEver;
    }
    ends.refused(unit, reason);
  }

  /** Keeps a device away from a group; its units that stand in the device's queue go elsewhere. */
  void strike(PartyBooks party, int group, DeviceId device, String reason) {
    if (!party.strikes().add(group, device, reason)) {
      return;
    }
    ends.report(party, new UnitListener.Event.StruckOff(group, device, reason));
    for (UnitAttempt attempt : List.copyOf(open.attempts())) {
      UnitTask<?> unit = attempt.unit();
      if (unit.party() == party.number()
          && unit.group() == group
          && attempt.served().id().equals(device)
          && !attempt.hasStarted()) {
        open.takeBack(attempt);
      }
    }
    judge(party.units(), new IdentityHashMap<>());
    roster.wakeAll();
  }

  void readmit(PartyBooks party, int group) {
    party.strikes().forget(group);
    judge(party.units(), new IdentityHashMap<>());
    roster.wakeAll();
  }
}
