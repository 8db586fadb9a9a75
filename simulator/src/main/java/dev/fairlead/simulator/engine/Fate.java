package dev.fairlead.simulator.engine;

import dev.fairlead.device.Fault;
import dev.fairlead.simulator.fleet.Mishap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Lets mishaps happen to devices. Those of one moment happen together: what was on one device does
 * not move to another that stops at the same time, only to be moved again.
 */
final class Fate {
  private final Engine engine;
  private final Machines machines;
  private final List<List<Mishap>> moments;
  private int past;

  Fate(Engine engine, Machines machines, List<Mishap> mishaps) {
    this.engine = engine;
    this.machines = machines;
    this.moments =
        List.copyOf(
            mishaps.stream()
                .collect(Collectors.groupingBy(Mishap::seconds, TreeMap::new, Collectors.toList()))
                .values());
  }

  /** Whether nothing more is to happen. */
  boolean isDone() {
    return past == moments.size();
  }

  void prepare() {
    for (int i = 0; i < moments.size(); i++) {
      engine.befallLater(moments.get(i).getFirst().seconds(), i);
      for (Mishap mishap : moments.get(i)) {
        if (mishap.kind() == Mishap.Kind.JOIN) {
          machines.present[mishap.device()] = false;
          engine.changed(mishap.device());
        }
      }
    }
  }

  /** All that happens at one moment. */
  void befall(int moment) {
    past++;
    List<Mishap> mishaps = moments.get(moment);
    Set<Integer> stopping = new LinkedHashSet<>();
    for (Mishap mishap : mishaps) {
      boolean stops = mishap.kind() == Mishap.Kind.STOP || mishap.kind() == Mishap.Kind.LOST;
      if (stops && machines.present[mishap.device()]) {
        stopping.add(mishap.device());
        machines.present[mishap.device()] = false;
        engine.shut(mishap.device());
      }
    }
    for (Mishap mishap : mishaps) {
      if (stopping.remove(mishap.device())) {
        machines.present[mishap.device()] = true;
      }
      befall(mishap);
      engine.changed(mishap.device());
    }
  }

  private void befall(Mishap mishap) {
    int device = mishap.device();
    switch (mishap.kind()) {
      case STOP -> engine.stop(device, Fault.CONTEXT);
      case LOST -> {
        engine.stop(device, Fault.LOST);
        machines.present[device] = false;
      }
      case SLOW -> slow(device, 1 / mishap.amount());
      case HANG -> hang(device);
      case FLAP -> {
        machines.flapSeconds[device] = mishap.amount();
        flap(device);
      }
      case BACK, JOIN -> back(device);
      case LEAVE -> machines.present[device] = false;
    }
  }

  private void back(int device) {
    machines.flapSeconds[device] = 0;
    machines.down[device] = false;
    machines.hung[device] = false;
    slow(device, 1);
    if (!machines.present[device]) {
      machines.present[device] = true;
      machines.cold[device] = true;
      machines.forgive(device);
    }
  }

  /** Stops, or comes back, and will do the other in a while. */
  void flap(int device) {
    double period = machines.flapSeconds[device];
    if (period > 0) {
      if (machines.down[device]) {
        machines.down[device] = false;
      } else {
        engine.stop(device, Fault.DEVICE);
      }
      engine.flapLater(device, period);
    }
  }

  private void slow(int device, double slowness) {
    double change = slowness / machines.slowness[device];
    machines.slowness[device] = slowness;
    if (change == 1 || machines.hung[device]) {
      return;
    }
    for (int slot = machines.firstSlot(device); slot < machines.lastSlot(device); slot++) {
      if (machines.task[slot] != Tasks.NONE) {
        long left = machines.endsAt[slot] - engine.now();
        engine.endAnew(slot, engine.now() + Math.round(left * change));
      }
    }
  }

  private void hang(int device) {
    machines.hung[device] = true;
    for (int slot = machines.firstSlot(device); slot < machines.lastSlot(device); slot++) {
      if (machines.task[slot] != Tasks.NONE) {
        engine.neverEnd(slot);
      }
    }
  }
}
