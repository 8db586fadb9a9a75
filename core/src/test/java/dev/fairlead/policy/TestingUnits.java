package dev.fairlead.policy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Waiting units and devices whose every figure a test sets. */
final class TestingUnits implements WaitingUnits {
  /** A unit: its cost in seconds on a device of speed one, and the devices that may not run it. */
  record TestingUnit(int group, long order, double cost, Set<Integer> barred) {}

  private final List<TestingUnit> units = new ArrayList<>();
  private final int groups;
  private final double[] speeds;
  private final double[] backlogs;
  private final boolean[] serving;
  private final int[] slots;

  /** By place, the devices that have what its units read; those without an entry are everywhere. */
  private final Map<Long, Set<Integer>> near = new HashMap<>();

  private TestingUnits(int groups, double[] speeds) {
    this.groups = groups;
    this.speeds = speeds;
    this.backlogs = new double[speeds.length];
    this.serving = new boolean[speeds.length];
    this.slots = new int[speeds.length];
    Arrays.fill(slots, 1);
    Arrays.fill(serving, true);
  }

  static TestingUnits of(int groups, double... speeds) {
    return new TestingUnits(groups, speeds.clone());
  }

  /** Adds a unit that every device may run but those that are barred. */
  TestingUnits add(int group, long order, double cost, Integer... barred) {
    units.add(new TestingUnit(group, order, cost, new HashSet<>(Arrays.asList(barred))));
    return this;
  }

  /** Adds the unit of every group of the given place, each of cost one. */
  TestingUnits addChunk(long order) {
    for (int group = 0; group < groups; group++) {
      add(group, order, 1);
    }
    return this;
  }

  /** Units of that place read what the device has; elsewhere it takes a second to bring it. */
  TestingUnits near(long order, int device) {
    near.computeIfAbsent(order, any -> new HashSet<>()).add(device);
    return this;
  }

  TestingUnits backlog(int device, double seconds) {
    backlogs[device] = seconds;
    return this;
  }

  TestingUnits slots(int device, int number) {
    slots[device] = number;
    return this;
  }

  TestingUnits lose(int device) {
    serving[device] = false;
    return this;
  }

  /** What the device takes now as {@code group@order}; the unit leaves the line. */
  String take(ServicePolicy policy, int device) {
    int next = policy.next(this, device);
    if (next == ServicePolicy.NONE) {
      return "none";
    }
    TestingUnit unit = units.remove(next);
    if (near.containsKey(unit.order)) {
      near(unit.order, device);
    }
    return unit.group + "@" + unit.order;
  }

  void remove(int unit) {
    units.remove(unit);
  }

  @Override
  public int size() {
    return units.size();
  }

  @Override
  public int group(int unit) {
    return units.get(unit).group;
  }

  @Override
  public long order(int unit) {
    return units.get(unit).order;
  }

  @Override
  public boolean mayRun(int unit, int device) {
    return !units.get(unit).barred.contains(device);
  }

  @Override
  public double seconds(int unit, int device) {
    return units.get(unit).cost / speeds[device] + moveSeconds(unit, device);
  }

  @Override
  public double moveSeconds(int unit, int device) {
    Set<Integer> its = near.get(units.get(unit).order);
    return its == null || its.contains(device) ? 0 : 1;
  }

  @Override
  public boolean moves() {
    return !near.isEmpty();
  }

  @Override
  public int groups() {
    return groups;
  }

  @Override
  public int devices() {
    return speeds.length;
  }

  @Override
  public boolean serves(int device) {
    return serving[device];
  }

  @Override
  public int slots(int device) {
    return slots[device];
  }

  @Override
  public double backlogSeconds(int device) {
    return backlogs[device];
  }
}
