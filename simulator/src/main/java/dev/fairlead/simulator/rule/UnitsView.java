package dev.fairlead.simulator.rule;

import dev.fairlead.policy.Forecast;
import dev.fairlead.policy.WaitingUnits;
import dev.fairlead.policy.Work;
import dev.fairlead.simulator.engine.Engine;
import dev.fairlead.simulator.engine.Machines;
import dev.fairlead.simulator.engine.Tasks;
import java.util.Arrays;
import java.util.List;

/** Units that wait, as a service policy reads them, oldest first. */
final class UnitsView implements WaitingUnits {
  private final Engine engine;
  private final Machines machines;
  private final Tasks tasks;
  private final Forecast forecast;
  private final List<String> kinds;
  private final Work[] latest;
  private int[] units = new int[1024];
  private int size;

  UnitsView(Engine engine, Forecast forecast) {
    this.engine = engine;
    this.machines = engine.machines();
    this.tasks = engine.tasks();
    this.forecast = forecast;
    this.kinds = engine.scenario().workload().kinds();
    this.latest = new Work[kinds.size()];
    Arrays.setAll(latest, group -> Work.of(kinds.get(group), 1));
  }

  void add(int task) {
    if (size == units.length) {
      units = Arrays.copyOf(units, 2 * size);
    }
    units[size++] = task;
  }

  int remove(int unit) {
    int task = units[unit];
    System.arraycopy(units, unit + 1, units, unit, size - unit - 1);
    size--;
    return task;
  }

  /** Sizes of one kind are mostly the same, so the last is kept. */
  Work work(int task) {
    int group = tasks.group(task);
    if (latest[group].size() != tasks.size(task)) {
      latest[group] = Work.of(kinds.get(group), tasks.size(task));
    }
    return latest[group];
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public int group(int unit) {
    return tasks.group(units[unit]);
  }

  @Override
  public long order(int unit) {
    return tasks.order(units[unit]);
  }

  /** A device that has failed a unit gets it again only while no other serves. */
  @Override
  public boolean mayRun(int unit, int device) {
    return tasks.failedOn(units[unit]) != device || !othersServe(device);
  }

  private boolean othersServe(int device) {
    for (int other = 0; other < machines.size(); other++) {
      if (other != device && machines.serves(other)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public double seconds(int unit, int device) {
    return forecast.seconds(work(units[unit]), device);
  }

  @Override
  public int groups() {
    return kinds.size();
  }

  @Override
  public int devices() {
    return machines.size();
  }

  @Override
  public boolean serves(int device) {
    return machines.serves(device);
  }

  /** Until a slot is free. */
  @Override
  public double backlogSeconds(int device) {
    if (machines.hasFreeSlot(device)) {
      return 0;
    }
    double soonest = Double.POSITIVE_INFINITY;
    for (int slot = 0; slot < machines.slots(device); slot++) {
      int task = machines.task(device, slot);
      if (task != Tasks.NONE) {
        double whole = forecast.seconds(work(task), device);
        double elapsed = machines.elapsedSeconds(device, slot, engine.now());
        soonest = Math.min(soonest, Math.max(0, whole - elapsed));
      }
    }
    return soonest;
  }
}
