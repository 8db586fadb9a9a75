package dev.fairlead.range;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A simulated run of units on devices of given speeds, each unit with a fixed cost on top. */
final class TestingRun {
  static final double COST_PER_UNIT = 0.1;

  private final double[] free;
  private final List<Unit> waiting;

  private TestingRun(int devices, List<Unit> units) {
    this.free = new double[devices];
    this.waiting = new ArrayList<>(units);
  }

  /** The makespan where a free device takes its own next unit, or else half of the longest one. */
  static double homesFirst(double[] speeds, List<Unit> units, long grain) {
    TestingRun run = new TestingRun(speeds.length, units);
    while (!run.waiting.isEmpty()) {
      int device = run.nextFree();
      Optional<Unit> own = run.waiting.stream().filter(unit -> unit.home() == device).findFirst();
      Range range = own.isPresent() ? run.take(own.get()) : run.steal(grain);
      run.spend(device, range, speeds[device]);
    }
    return run.makespan();
  }

  /** The makespan where a free device takes the first unit that waits, whatever its home. */
  static double inOrder(double[] speeds, List<Unit> units) {
    TestingRun run = new TestingRun(speeds.length, units);
    while (!run.waiting.isEmpty()) {
      int device = run.nextFree();
      run.spend(device, run.take(run.waiting.getFirst()), speeds[device]);
    }
    return run.makespan();
  }

  private Range take(Unit unit) {
    waiting.remove(unit);
    return unit.range();
  }

  private Range steal(long grain) {
    Unit longest = Collections.max(waiting, Comparator.comparingLong(u -> u.range().length()));
    Range range = take(longest);
    if (range.length() < 2 * grain) {
      return range;
    }
    waiting.add(new Unit(range.halves().front(), longest.home()));
    return range.halves().back();
  }

  private void spend(int device, Range range, double speed) {
    free[device] += COST_PER_UNIT + range.length() / speed;
  }

  private int nextFree() {
    int earliest = 0;
    for (int device = 1; device < free.length; device++) {
      if (free[device] < free[earliest]) {
        earliest = device;
      }
    }
    return earliest;
  }

  private double makespan() {
    double latest = 0;
    for (double time : free) {
      latest = Math.max(latest, time);
    }
    return latest;
  }
}
