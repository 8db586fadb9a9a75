package dev.fairlead.simulator.rule;

import dev.fairlead.policy.FairPolicy;
import dev.fairlead.policy.Forecast;
import dev.fairlead.policy.ServicePolicy;
import dev.fairlead.policy.StragglerRule;
import dev.fairlead.simulator.engine.Discipline;
import dev.fairlead.simulator.engine.Engine;
import dev.fairlead.simulator.engine.Machines;
import dev.fairlead.simulator.engine.Tasks;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Units that wait in groups: whenever a device has a free slot, the service policy picks the unit
 * that it takes. A device that gets nothing rests until something changes or the next look. When
 * nothing waits, idle devices copy what they would finish sooner than who has it.
 */
public final class Serving implements Discipline {
  private static final int MOST_TO_CLONE_AT_ONCE = 64;

  private final Engine engine;
  private final Machines machines;
  private final Tasks tasks;
  private final ServicePolicy policy;
  private final Forecast forecast;
  private final ServingDevices serving;
  private final UnitsView view;
  private final BitSet resting;

  public Serving(Engine engine, ServicePolicy policy) {
    this(engine, policy, null);
  }

  /** Units of tenants, between which the policy shares devices. */
  public static Serving sharing(Engine engine, FairPolicy policy, TenantTally tally) {
    return new Serving(engine, policy, tally);
  }

  private Serving(Engine engine, ServicePolicy policy, @Nullable TenantTally tally) {
    this.engine = engine;
    this.machines = engine.machines();
    this.tasks = engine.tasks();
    this.policy = policy;
    this.forecast = new Forecast(engine.knowledge().model(), engine.knowledge().devices());
    this.serving = new ServingDevices(machines);
    this.view =
        tally == null
            ? new UnitsView(engine, forecast, serving)
            : new SharedUnitsView(engine, forecast, serving, tally);
    this.resting = new BitSet(machines.size());
  }

  @Override
  public void arrived(int task) {
    view.add(task);
    resting.clear();
    if (!engine.isArriving()) {
      serve(false);
    }
  }

  @Override
  public void again(int task) {
    view.add(task);
    resting.clear();
    serve(false);
  }

  @Override
  public void ended(int task, int device) {
    view.over(task, device, true);
    resting.clear(device);
    serve(false);
  }

  @Override
  public void failed(int task, int device) {
    view.over(task, device, false);
    serving.refresh(device);
    resting.clear(device);
  }

  @Override
  public void shut(int device) {
    serving.refresh(device);
  }

  @Override
  public void changed(int device) {
    serving.refresh(device);
    resting.clear();
    serve(false);
  }

  @Override
  public void look() {
    forecast.forget();
    resting.clear();
    serve(true);
  }

  private void serve(boolean atLook) {
    int size = machines.size();
    int idle = 0;
    view.pass();
    for (int device = resting.nextClearBit(0);
        device < size;
        device = resting.nextClearBit(device + 1)) {
      while (machines.isFree(device) && !resting.get(device)) {
        int picked = view.size() == 0 ? ServicePolicy.NONE : policy.next(view, device);
        if (picked == ServicePolicy.NONE) {
          break;
        }
        int task = view.take(picked, device);
        engine.start(task, device);
      }
      resting.set(device);
      idle += machines.isFree(device) ? 1 : 0;
    }
    if (view.size() == 0 && idle > 0 && (atLook || size <= MOST_TO_CLONE_AT_ONCE)) {
      cloneStragglers();
    }
    if (tasks.live() > 0 && (view.size() > 0 || idle > 0)) {
      engine.lookLater();
    }
  }

  private void cloneStragglers() {
    for (int device = 0; device < machines.size(); device++) {
      if (machines.isFree(device)) {
        int best = worthCloning(device);
        if (best != Tasks.NONE) {
          engine.start(best, device);
        }
      }
    }
  }

  private int worthCloning(int idle) {
    int best = Tasks.NONE;
    double most = 0;
    for (int device = 0; device < machines.size(); device++) {
      for (int slot = 0; slot < machines.slots(device); slot++) {
        int task = machines.task(device, slot);
        if (task != Tasks.NONE
            && tasks.copies(task) == 1
            && tasks.failedOn(task) != idle
            && forecast.isLearned(view.work(task))) {
          double gain =
              StragglerRule.gain(
                  forecast.seconds(view.work(task), device),
                  machines.elapsedSeconds(device, slot, engine.now()),
                  forecast.seconds(view.work(task), idle));
          if (gain > most) {
            most = gain;
            best = task;
          }
        }
      }
    }
    return best;
  }
}
