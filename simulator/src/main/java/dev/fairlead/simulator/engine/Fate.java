package dev.fairlead.simulator.engine;

import dev.fairlead.device.Fault;
import dev.fairlead.simulator.fleet.Mishap;

/** Lets mishaps happen to devices. */
final class Fate {
  private final Engine engine;
  private final Machines machines;

  Fate(Engine engine, Machines machines) {
    this.engine = engine;
    this.machines = machines;
  }

  void befall(Mishap mishap) {
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
