package dev.fairlead.simulator.fleet;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What the devices could do by when, mishaps included: a lower bound on the time that work takes on
 * them, whatever the schedule. A device that flaps counts as if it did not.
 */
public final class Capacity {
  private record Change(double at, double by) {}

  private final List<Change> changes = new ArrayList<>();
  private final double atFirst;

  public Capacity(FleetSpec fleet, List<Mishap> mishaps) {
    int size = fleet.size();
    double[] now = new double[size];
    boolean[] late = new boolean[size];
    for (Mishap mishap : mishaps) {
      late[mishap.device()] |= mishap.kind() == Mishap.Kind.JOIN;
    }
    double total = 0;
    for (int device = 0; device < size; device++) {
      now[device] = late[device] ? 0 : fleet.devices().get(device).capacity();
      total += now[device];
    }
    atFirst = total;
    List<Mishap> sorted = new ArrayList<>(mishaps);
    sorted.sort(Comparator.comparingDouble(Mishap::seconds));
    for (Mishap mishap : sorted) {
      double full = fleet.devices().get(mishap.device()).capacity();
      double then =
          switch (mishap.kind()) {
            case STOP, LOST, HANG -> 0;
            case LEAVE -> now[mishap.device()]; // what runs is still ended
            case SLOW -> full * mishap.amount();
            case FLAP, BACK, JOIN -> full;
          };
      changes.add(new Change(mishap.seconds(), then - now[mishap.device()]));
      now[mishap.device()] = then;
    }
  }

  /** The soonest that so much work can be done; infinite if never. */
  public double secondsFor(double work) {
    double speed = atFirst;
    double at = 0;
    double left = work;
    for (Change change : changes) {
      double done = speed * (change.at - at);
      if (done >= left && left > 0) {
        return at + left / speed;
      }
      left -= done;
      at = change.at;
      speed = Math.max(0, speed + change.by);
    }
    if (left <= 0) {
      return at;
    }
    return speed > 1e-12 ? at + left / speed : Double.POSITIVE_INFINITY;
  }
}
