package dev.fairlead.simulator.rule;

import dev.fairlead.policy.Choice;
import dev.fairlead.policy.PlacementPolicy;
import dev.fairlead.policy.Policies;
import dev.fairlead.simulator.engine.Discipline;
import dev.fairlead.simulator.engine.Engine;
import dev.fairlead.simulator.engine.Machines;
import dev.fairlead.simulator.engine.Tasks;

/**
 * Tasks that are submitted to a pool: a placement policy says which device takes each, busy ones
 * included; a task for which the device has no free slot stands in its line. Tasks that no device
 * can take wait for one, first come, first served. The line of a device that stops serving is
 * placed anew.
 */
public final class Placing implements Discipline {
  private final Engine engine;
  private final Machines machines;
  private final Tasks tasks;
  private final PlacementPolicy policy;
  private final PoolView view;
  private final Line[] lines;
  private final Line waiting;

  /** First in, first out, through the tasks' own links. */
  private static final class Line {
    private int first = Tasks.NONE;
    private int last = Tasks.NONE;

    void add(int task, Tasks tasks) {
      tasks.next(task, Tasks.NONE);
      if (first == Tasks.NONE) {
        first = task;
      } else {
        tasks.next(last, task);
      }
      last = task;
    }

    int remove(Tasks tasks) {
      int task = first;
      first = tasks.next(task);
      return task;
    }

    boolean isEmpty() {
      return first == Tasks.NONE;
    }
  }

  public Placing(Engine engine, PlacementPolicy policy) {
    this.engine = engine;
    this.machines = engine.machines();
    this.tasks = engine.tasks();
    this.policy = policy;
    this.view = new PoolView(engine);
    this.lines = new Line[machines.size()];
    java.util.Arrays.setAll(lines, _ -> new Line());
    this.waiting = new Line();
  }

  @Override
  public void arrived(int task) {
    // Newcomers do not pass those who wait.
    if (!waiting.isEmpty() || !place(task)) {
      waiting.add(task, tasks);
    }
  }

  @Override
  public void again(int task) {
    if (!place(task)) {
      waiting.add(task, tasks);
    }
  }

  private boolean place(int task) {
    long choice = policy.place(view.of(task, true));
    if (!Choice.isPlaced(choice) && tasks.failedOn(task) != Tasks.NONE) {
      // Where nobody else is left, the device that failed it may try again.
      choice = policy.place(view.of(task, false));
    }
    if (!Choice.isPlaced(choice)) {
      return false;
    }
    int device = Choice.index(choice);
    view.placed(task, device, Policies::start);
    if (machines.hasFreeSlot(device)) {
      engine.start(task, device);
      view.refreshFinish(device);
    } else {
      view.queued(task, device);
      lines[device].add(task, tasks);
    }
    return true;
  }

  @Override
  public void ended(int task, int device) {
    view.left(task, device);
    advance(device);
    view.refreshFinish(device);
    serveWaiting();
  }

  @Override
  public void shut(int device) {
    view.refresh(device);
  }

  @Override
  public void changed(int device) {
    view.refresh(device);
    if (machines.serves(device)) {
      advance(device);
      view.refreshFinish(device);
    } else {
      Line line = lines[device];
      Line moving = new Line();
      while (!line.isEmpty()) {
        int task = line.remove(tasks);
        view.started(task, device);
        view.left(task, device);
        moving.add(task, tasks);
      }
      view.refreshFinish(device);
      while (!moving.isEmpty()) {
        engine.moved();
        again(moving.remove(tasks));
      }
    }
    serveWaiting();
  }

  @Override
  public void failed(int task, int device) {
    view.left(task, device);
    view.refreshFinish(device);
  }

  @Override
  public void polled(int device) {
    view.polled(device);
  }

  private void advance(int device) {
    while (machines.hasFreeSlot(device) && !lines[device].isEmpty() && machines.serves(device)) {
      int next = lines[device].remove(tasks);
      view.started(next, device);
      engine.start(next, device);
    }
  }

  private void serveWaiting() {
    while (!waiting.isEmpty()) {
      int task = waiting.first;
      int after = tasks.next(task);
      if (!place(task)) {
        return;
      }
      waiting.first = after;
    }
  }
}
