package dev.fairlead.simulator.rule;

import dev.fairlead.policy.Choice;
import dev.fairlead.policy.PlacementPolicy;
import dev.fairlead.policy.Policies;
import dev.fairlead.simulator.engine.Discipline;
import dev.fairlead.simulator.engine.Engine;
import dev.fairlead.simulator.engine.Machines;
import dev.fairlead.simulator.engine.Tasks;

/**
 * Tasks that are submitted to a pool: a placement policy says which device takes each. Unless it
 * weighs queues, it is first shown only devices that have a free slot and have not failed lately;
 * busy ones when it finds nobody there. A task for which the device has no free slot stands in its
 * line, and others may take it over from there, see {@link Taking}. Tasks that no device can take
 * wait for one, first come, first served. The line of a device that stops serving is placed anew.
 */
public final class Placing implements Discipline {
  private final Engine engine;
  private final Machines machines;
  private final Tasks tasks;
  private final PlacementPolicy policy;
  private final PoolView view;
  private final boolean inTwoSteps;
  private final Taking taking;
  private final Line waiting;

  public Placing(Engine engine, PlacementPolicy policy) {
    this.engine = engine;
    this.machines = engine.machines();
    this.tasks = engine.tasks();
    this.policy = policy;
    this.view = new PoolView(engine);
    this.inTwoSteps = !policy.weighsQueues();
    this.taking = new Taking(engine, policy, view);
    this.waiting = new Line(tasks);
  }

  PoolView view() {
    return view;
  }

  Line line(int device) {
    return taking.line(device);
  }

  @Override
  public void arrived(int task) {
    // Newcomers do not pass those who wait.
    if (!waiting.isEmpty() || !place(task)) {
      waiting.add(task);
    }
  }

  @Override
  public void again(int task) {
    if (!place(task)) {
      waiting.add(task);
    }
  }

  private boolean place(int task) {
    long choice = choose(task, true);
    if (!Choice.isPlaced(choice) && tasks.failedOn(task) != Tasks.NONE) {
      // Where nobody else is left, the device that failed it may try again.
      choice = choose(task, false);
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
      taking.line(device).add(task);
      taking.settle(device);
    }
    return true;
  }

  private long choose(int task, boolean avoiding) {
    if (inTwoSteps && view.free().anyReady()) {
      long choice = policy.place(view.ofReady(task, avoiding));
      if (Choice.isPlaced(choice)) {
        return choice;
      }
    }
    return policy.place(view.of(task, avoiding));
  }

  @Override
  public void ended(int task, int device) {
    view.left(task, device);
    advance(device);
    view.refreshFinish(device);
    taking.settle(device);
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
      taking.settle(device);
    } else {
      Line line = taking.line(device);
      Line moving = new Line(tasks);
      while (!line.isEmpty()) {
        int task = line.removeFirst();
        view.started(task, device);
        view.left(task, device);
        moving.add(task);
      }
      view.refreshFinish(device);
      taking.settle(device);
      while (!moving.isEmpty()) {
        engine.moved();
        again(moving.removeFirst());
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
    Line line = taking.line(device);
    while (machines.hasFreeSlot(device) && !line.isEmpty() && machines.serves(device)) {
      int next = line.removeFirst();
      view.started(next, device);
      engine.start(next, device);
    }
  }

  private void serveWaiting() {
    while (!waiting.isEmpty()) {
      int task = waiting.first();
      int after = tasks.next(task); // if it joins a line, it is linked to others there
      if (!place(task)) {
        return;
      }
      waiting.beginWith(after);
    }
  }
}
