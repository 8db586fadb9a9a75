package dev.fairlead.units;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.lease.PoolException;
import dev.fairlead.pool.DevicePool;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The pool's devices as last seen, in the order in which they came. A device that leaves keeps its
 * number, and gets it back if it returns. Owned by the scheduler.
 */
final class DeviceRoster {
  private final DevicePool pool;
  private final List<ServedDevice> all = new ArrayList<>();
  private final Map<DeviceId, ServedDevice> byId = new HashMap<>();
  private final Sessions sessions = new Sessions(all);
  private List<Device> seen = List.of();
  private boolean outdated;

  DeviceRoster(DevicePool pool) {
    this.pool = pool;
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

  /**
   * Looks at the pool; true if devices have come or gone since the last look, also if one has come
   * and gone that a unit counted on meanwhile.
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

  /** Whether a look has seen the device. */
  boolean knows(DeviceId device) {
    ServedDevice served = byId.get(device);
    return served != null && served.isPresent();
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

  /** Something has changed: each device is asked again. */
  void wakeAll() {
    for (ServedDevice served : all) {
      served.rests(false);
    }
  }

  /** Whether the device is there and could take the unit some day. */
  static boolean accepts(ServedDevice served, UnitTask<?> unit) {
    return served.isPresent() && unit.isAbleOn(served);
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
