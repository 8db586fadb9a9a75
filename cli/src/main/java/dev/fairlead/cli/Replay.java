package dev.fairlead.cli;

import dev.fairlead.simulator.fleet.DeviceSpec;
import dev.fairlead.simulator.fleet.FleetSpec;
import dev.fairlead.simulator.workload.Workload;
import dev.fairlead.simulator.workload.Workloads;
import dev.fairlead.simulator.workload.Workloads.Given;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A recorded run as work that can be done again, on the same devices or on others. All chunks wait
 * from the beginning, and each costs what it would have cost on the fastest of the devices.
 *
 * @param devices those of the run, also those that encoded nothing
 * @param gaps what passed on a device between one chunk and the next, in seconds
 */
record Replay(List<String> rungs, List<Recorded> devices, List<Unit> units, List<Double> gaps) {

  /**
   * A device of the run.
   *
   * @param slots how many chunks it took at a time
   * @param weight how much it was taken to be worth before it was measured
   */
  record Recorded(String label, int slots, double weight) {}

  /** A chunk of a rung, and how long a device had it. */
  record Unit(int rung, long chunk, double size, int device, double seconds) {}

  Workload workload() {
    double[] speeds = speeds();
    List<Given> given = new ArrayList<>();
    for (Unit unit : units) {
      double cost = unit.seconds * speeds[unit.device];
      given.add(new Given(0, unit.rung, unit.chunk, unit.size, cost));
    }
    given.sort(Comparator.comparingLong(Given::order).thenComparingInt(Given::group));
    return Workloads.given("trace", rungs, given);
  }

  /** The devices of the run. */
  FleetSpec fleet() {
    double[] speeds = speeds();
    List<DeviceSpec> specs = new ArrayList<>();
    for (int i = 0; i < speeds.length; i++) {
      Recorded device = devices.get(i);
      specs.add(DeviceSpec.of(device.label, speeds[i]).withSlots(device.slots));
    }
    return new FleetSpec(specs);
  }

  /**
   * What is lost between one chunk and the next while work waits, in seconds: the mean gap without
   * the longest tenth, when there was nothing to do.
   */
  double handover() {
    return gaps.stream()
        .sorted()
        .limit(gaps.size() * 9L / 10)
        .mapToDouble(Double::doubleValue)
        .average()
        .orElse(0);
  }

  private double[] speeds() {
    RecordedSpeeds speeds =
        new RecordedSpeeds(devices.stream().mapToDouble(Recorded::weight).toArray(), rungs.size());
    units.forEach(unit -> speeds.add(unit.device, unit.rung, unit.seconds));
    return speeds.estimate();
  }
}
