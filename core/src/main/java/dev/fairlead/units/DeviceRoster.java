package dev.fairlead.units;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.PoolException;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The pool's devices as last seen, in the order in which they came, and who was struck off which
 * group. A device that leaves keeps its number, and gets it back with its strikes if it returns.
 * Owned by the scheduler.
 */
final class DeviceRoster {
  private final DevicePool pool;
  private final List<ServedDevice> all = new ArrayList<>();
  private final Map<DeviceId, ServedDevice> byId = new HashMap<>();
  private final Sessions sessions = new Sessions(all);
  private final List<Map<DeviceId, String>> strikes = new ArrayList<>();
  private List<Device> seen = List.of();
  private boolean outdated;

  DeviceRoster(DevicePool pool, int groups) {
    this.pool = pool;
    for (int group = 0; group < groups; group++) {
      strikes.add(new HashMap<>());
    }
  }

  /** By number, those that have left included; it grows as devices come. */
  List<ServedDevice> all() {
    return Collections.unmodifiableList(all);
  }

  /** The same as devices. */
  List<Device> devices() {
    return new AbstractList<>() {
      @Override
      public Device get(int number) {
        return all.get(number).device();
      }

      @Override
      public int size() {
        return all.size();
      }
    };
  }

  int groups() {
    return strikes.size();
  }

  /**
   * Looks at the pool; true if devices have come or gone since the last look, also if one has come
   * and gone that somebody counted on meanwhile.
   */
  boolean look() {
    List<Device> now = pool.devices();
    boolean changed = outdated || !now.equals(seen);
    outdated = false;
    if (changed) {
      seen = now;
      all.forEach(ServedDevice::gone);
      now.forEach(this::enlist);
    }
    for (ServedDevice served : all) {
      if (served.isPresent()) {
        try {
          served.seen(pool.serves(served.id()), pool.load(served.id()).queueDepth());
        } catch (PoolException.UnknownDevice goneMeanwhile) {
          // The next look sees that.
          served.seen(false, 0);
        }
      }
    }
    return changed;
  }

  /** Whether a unit counts on a device that the last look has not seen. */
  boolean isOutdated() {
    return outdated;
  }

  private void enlist(Device device) {
    ServedDevice known = byId.get(device.id());
    if (known != null) {
      known.is(device);
      return;
    }
    ServedDevice served = new ServedDevice(all.size(), device);
    for (int group = 0; group < groups(); group++) {
      served.struckOff().set(group, strikes.get(group).containsKey(device.id()));
    }
    byId.put(device.id(), served);
    all.add(served);
  }

  Sessions sessions() {
    return sessions;
  }

  /** Whether the device serves, has a slot for one more unit, and has not just refused one. */
  boolean haveRoom(ServedDevice served, long now) {
    return served.serves() && served.hasFreeSlot() && sessions.allow(served, now);
  }

  /** Those that others use as well come last. */
  List<ServedDevice> unsharedFirst() {
    List<ServedDevice> sorted = new ArrayList<>(all.size());
    all.stream().filter(served -> !served.isShared()).forEach(sorted::add);
    all.stream().filter(ServedDevice::isShared).forEach(sorted::add);
    return sorted;
  }

  /** The numbers of the devices, as far as they have been seen. */
  BitSet numbers(List<Device> devices) {
    BitSet numbers = new BitSet(all.size());
    for (Device device : devices) {
      ServedDevice served = byId.get(device.id());
      outdated |= served == null || !served.isPresent();
      if (served != null) {
        numbers.set(served.number());
      }
    }
    return numbers;
  }

  /** Whether none of the devices may serve the group. */
  boolean areStruckOff(int group, List<Device> devices) {
    return devices.stream().allMatch(device -> strikes.get(group).containsKey(device.id()));
  }

  boolean strike(int group, DeviceId device, String reason) {
    ServedDevice served = byId.get(device);
    if (served != null) {
      served.struckOff().set(group);
    }
    return strikes.get(group).putIfAbsent(device, reason) == null;
  }

  void readmit(int group) {
    strikes.get(group).clear();
    all.forEach(served -> served.struckOff().clear(group));
  }

  /** Why devices were struck off a group. */
  Map<DeviceId, String> strikes(int group) {
    return strikes.get(group);
  }

  /** Whether the device could take the unit some day: the pool allows it and its group does. */
  static boolean accepts(ServedDevice served, UnitTask<?> unit) {
    return served.isPresent() && unit.isAbleOn(served) && !served.struckOff().get(unit.group());
  }

  /** Whether a device serves that could take the unit and has not failed it. */
  boolean hasFresh(UnitTask<?> unit) {
    for (ServedDevice served : all) {
      if (served.serves() && accepts(served, unit) && !unit.failures().areOn(served.id())) {
        return true;
      }
    }
    return false;
  }

  /** A device that has failed a unit gets it again only while no other serves that has not. */
  boolean mayRun(UnitTask<?> unit, ServedDevice served) {
    return accepts(served, unit)
        && (!unit.failures().areOn(served.id()) || !hasFresh(unit))
        && (unit.attempts().isEmpty()
            || unit.attempts().stream().noneMatch(attempt -> attempt.served().equals(served)));
  }
}
