package dev.fairlead.dispatch;

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
 * Owned by the foreman.
 */
final class Posts {
  private final DevicePool pool;
  private final List<Post> all = new ArrayList<>();
  private final Map<DeviceId, Post> byId = new HashMap<>();
  private final Sessions sessions = new Sessions(all);
  private final List<Map<DeviceId, String>> strikes = new ArrayList<>();
  private List<Device> seen = List.of();
  private boolean outdated;

  Posts(DevicePool pool, int groups) {
    this.pool = pool;
    for (int group = 0; group < groups; group++) {
      strikes.add(new HashMap<>());
    }
  }

  /** By number, those that have left included; it grows as devices come. */
  List<Post> all() {
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
      all.forEach(Post::gone);
      now.forEach(this::enlist);
    }
    for (Post post : all) {
      if (post.isPresent()) {
        try {
          post.seen(pool.serves(post.id()), pool.load(post.id()).queueDepth());
        } catch (PoolException.UnknownDevice goneMeanwhile) {
          // The next look sees that.
          post.seen(false, 0);
        }
      }
    }
    return changed;
  }

  private void enlist(Device device) {
    Post known = byId.get(device.id());
    if (known != null) {
      known.is(device);
      return;
    }
    Post post = new Post(all.size(), device);
    for (int group = 0; group < groups(); group++) {
      post.struckOff().set(group, strikes.get(group).containsKey(device.id()));
    }
    byId.put(device.id(), post);
    all.add(post);
  }

  Sessions sessions() {
    return sessions;
  }

  /** Whether the device serves, has a slot for one more unit, and has not just refused one. */
  boolean haveRoom(Post post, long now) {
    return post.serves() && post.hasFreeSlot() && sessions.allow(post, now);
  }

  /** Those that others use as well come last. */
  List<Post> unsharedFirst() {
    List<Post> sorted = new ArrayList<>(all.size());
    all.stream().filter(post -> !post.isShared()).forEach(sorted::add);
    all.stream().filter(Post::isShared).forEach(sorted::add);
    return sorted;
  }

  /** The numbers of the devices, as far as they have been seen. */
  BitSet numbers(List<Device> devices) {
    BitSet numbers = new BitSet(all.size());
    for (Device device : devices) {
      Post post = byId.get(device.id());
      outdated |= post == null || !post.isPresent();
      if (post != null) {
        numbers.set(post.number());
      }
    }
    return numbers;
  }

  /** Whether none of the devices may serve the group. */
  boolean areStruckOff(int group, List<Device> devices) {
    return devices.stream().allMatch(device -> strikes.get(group).containsKey(device.id()));
  }

  boolean strike(int group, DeviceId device, String reason) {
    Post post = byId.get(device);
    if (post != null) {
      post.struckOff().set(group);
    }
    return strikes.get(group).putIfAbsent(device, reason) == null;
  }

  void readmit(int group) {
    strikes.get(group).clear();
    all.forEach(post -> post.struckOff().clear(group));
  }

  /** Why devices were struck off a group. */
  Map<DeviceId, String> strikes(int group) {
    return strikes.get(group);
  }

  /** Whether the device could take the unit some day: the pool allows it and its group does. */
  static boolean accepts(Post post, UnitTask<?> unit) {
    return post.isPresent() && unit.isAbleOn(post) && !post.struckOff().get(unit.group());
  }

  /** Whether a device serves that could take the unit and has not failed it. */
  boolean hasFresh(UnitTask<?> unit) {
    for (Post post : all) {
      if (post.serves() && accepts(post, unit) && !unit.hasFailedOn(post)) {
        return true;
      }
    }
    return false;
  }

  /** A device that has failed a unit gets it again only while no other serves that has not. */
  boolean mayRun(UnitTask<?> unit, Post post) {
    return accepts(post, unit)
        && (unit.failures().isEmpty() || !unit.hasFailedOn(post) || !hasFresh(unit))
        && (unit.tries().isEmpty()
            || unit.tries().stream().noneMatch(ride -> ride.post().equals(post)));
  }
}
