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
class UnitsView implements WaitingUnits {
  private static final int FIRST_ROOM = 16;

  private final Engine engine;
  private final Machines machines;
  private final Tasks tasks;
  private final Forecast forecast;
  private final List<String> kinds;
  private final Work[] latest;
  private final ServingDevices serving;
  private int[] units = new int[FIRST_ROOM];
  private int first;
  private int size;

  UnitsView(Engine engine, Forecast forecast, ServingDevices serving) {
    this.engine = engine;
    this.machines = engine.machines();
    this.tasks = engine.tasks();
    this.forecast = forecast;
    this.kinds = engine.scenario().workload().kinds();
    this.latest = new Work[kinds.size()];
    Arrays.setAll(latest, group -> Work.of(kinds.get(group), 1));
    this.serving = serving;
  }

  /** Behind all that are as old. */
  void add(int task) {
    makeRoom();
    int at = first + size;
    for (; at > first && tasks.order(units[at - 1]) > tasks.order(task); at--) {
      units[at] = units[at - 1];
    }
    units[at] = task;
    size++;
  }

  private void makeRoom() {
    if (first + size == units.length) {
      int[] room = size > units.length / 2 ? new int[2 * units.length] : units;
      System.arraycopy(units, first, room, 0, size);
      units = room;
      first = 0;
    }
  }

  /** Behind all, whatever its age. */
  void addLast(int task) {
    makeRoom();
    units[first + size] = task;
    size++;
  }

  /** The last one takes its place. */
  void swapOut(int unit) {
    size--;
    units[first + unit] = units[first + size];
  }

  /** The shorter side moves up. */
  int remove(int unit) {
    int at = first + unit;
    int task = units[at];
    if (unit < size / 2) {
      System.arraycopy(units, first, units, first + 1, unit);
      first++;
    } else {
      System.arraycopy(units, at + 1, units, at, size - unit - 1);
    }
    size--;
    return task;
  }

  /** Has a unit leave, since a device takes it. */
  int take(int unit, int device) {
    return remove(unit);
  }

  /** A try is over, well or not. */
  void over(int task, int device, boolean done) {}

  /** Before devices are given units. */
  void pass() {}

  int task(int unit) {
    return units[first + unit];
  }

  /** Where a task stands; it does. */
  int indexOf(int task) {
    int low = 0;
    int high = size - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (order(middle) < tasks.order(task)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    while (units[first + low] != task) {
      low++;
    }
    return low;
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
    return tasks.group(units[first + unit]);
  }

  @Override
  public long order(int unit) {
    return tasks.order(units[first + unit]);
  }

  /** A device that has failed a unit gets it again only while no other serves. */
  @Override
  public boolean mayRun(int unit, int device) {
    return tasks.failedOn(units[first + unit]) != device
        || serving.count() == (machines.serves(device) ? 1 : 0);
  }

  @Override
  public boolean isOldestFirst() {
    return true;
  }

  @Override
  public int serving() {
    return serving.count();
  }

  @Override
  public int able(int unit, int end) {
    int able = serving.before(end);
    int failed = tasks.failedOn(units[first + unit]);
    boolean barred = failed != Tasks.NONE && failed < end && !mayRun(unit, failed);
    return able - (barred && machines.serves(failed) ? 1 : 0);
  }

  @Override
  public double seconds(int unit, int device) {
    return forecast.seconds(work(units[first + unit]), device);
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

  @Override
  public int slots(int device) {
    return machines.slots(device);
  }

  /** What units have left, all slots in use. */
  @Override
  public double backlogSeconds(int device) {
    double left = 0;
    for (int slot = 0; slot < machines.slots(device); slot++) {
      int task = machines.task(device, slot);
      if (task != Tasks.NONE) {
        double whole = forecast.seconds(work(task), device);
        double elapsed = machines.elapsedSeconds(device, slot, engine.now());
        left += Math.max(0, whole - elapsed);
      }
    }
    return left / machines.slots(device);
  }
}
