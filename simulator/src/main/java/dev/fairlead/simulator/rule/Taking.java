package dev.fairlead.simulator.rule;

import dev.fairlead.policy.PlacementPolicy;
import dev.fairlead.policy.Policies;
import dev.fairlead.simulator.engine.Engine;
import dev.fairlead.simulator.engine.Machines;
import dev.fairlead.simulator.engine.Tasks;
import java.util.Arrays;

/**
 * The lines of all devices, and who takes over what stands in them: a device with a free slot takes
 * the oldest task that it may run from the longest line, unless the policy knows better. A device
 * that has failed takes only from those that carry more than its handicap, since it looks idle just
 * because it fails fast. With stale news nothing is taken, as the lines are those of other nodes.
 */
final class Taking {
  /** So many lines a free device looks at, the longest first. */
  static final int MOST_LINES = 8;

  /** So many free devices look at a line that has become longer. */
  static final int MOST_FREE = 16;

  private static final int DEEPEST = 64;

  private final Engine engine;
  private final Machines machines;
  private final Tasks tasks;
  private final PlacementPolicy policy;
  private final PoolView view;
  private final Line[] lines;
  private final LongestIndex longest;
  private final int[] passedOver = new int[MOST_LINES];
  private final boolean stale;

  Taking(Engine engine, PlacementPolicy policy, PoolView view) {
    this.engine = engine;
    this.machines = engine.machines();
    this.tasks = engine.tasks();
    this.policy = policy;
    this.view = view;
    this.lines = new Line[machines.size()];
    Arrays.setAll(lines, _ -> new Line(tasks));
    this.longest = new LongestIndex(machines.size());
    this.stale = engine.scenario().conditions().staleSeconds() > 0;
  }

  Line line(int device) {
    return lines[device];
  }

  /** Something has happened to the device or its line: it takes something over, or gives it. */
  void settle(int device) {
    if (stale || (longest.isEmpty() && lines[device].isEmpty())) {
      return;
    }
    enter(device);
    if (longest.isEmpty() || view.free().count() == 0) {
      return;
    }
    if (lines[device].isEmpty()) {
      take(device);
    } else {
      offer(device);
    }
  }

  private void enter(int device) {
    longest.put(device, lines[device].isEmpty() ? 0 : view.outstanding(device));
  }

  private void take(int device) {
    boolean taken = true;
    while (taken && isIdle(device)) {
      taken = false;
      int refused = 0;
      while (!taken && refused < MOST_LINES && !longest.isEmpty()) {
        int busy = longest.longest();
        taken = takeFrom(busy, device);
        if (!taken) {
          passedOver[refused++] = busy;
          longest.put(busy, 0);
        }
      }
      for (int i = 0; i < refused; i++) {
        enter(passedOver[i]);
      }
    }
  }

  private void offer(int busy) {
    int device = busy;
    int left = Math.min(MOST_FREE, view.free().count());
    while (left-- > 0 && view.free().count() > 0 && !lines[busy].isEmpty()) {
      device = view.free().next(device + 1);
      while (isIdle(device) && takeFrom(busy, device)) {}
    }
  }

  private boolean isIdle(int device) {
    return view.free().has(device) && lines[device].isEmpty();
  }

  private boolean takeFrom(int busy, int free) {
    if (machines.handicap(free) >= view.burden(busy)) {
      return false;
    }
    int previous = Tasks.NONE;
    int task = lines[busy].first();
    for (int deep = 0; deep < DEEPEST && task != Tasks.NONE; deep++) {
      if (view.admits(task, free)) {
        if (!policy.takes(view.of(task, true), free, busy)) {
          return false;
        }
        lines[busy].remove(task, previous);
        move(task, busy, free);
        return true;
      }
      previous = task;
      task = tasks.next(task);
    }
    return false;
  }

  private void move(int task, int from, int to) {
    view.started(task, from);
    view.moved(task, from, to, Policies::start);
    engine.start(task, to);
    view.refreshFinish(from);
    view.refreshFinish(to);
    enter(from);
  }
}
