package dev.fairlead.simulator.engine;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.simulator.fleet.DeviceSpec;
import dev.fairlead.simulator.workload.Arrival;
import dev.fairlead.simulator.workload.Workload;
import dev.fairlead.stats.CostCurve;
import dev.fairlead.stats.CostModel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What has been learned of costs in the course of a simulation, by the production cost model. */
public final class Knowledge {
  private static final int SAMPLES = 8;
  private static final int MOST_DRAWN = 10_000;

  private final List<Device> devices = new ArrayList<>();
  private final CostModel model = new CostModel();
  private final @Nullable CostCurve[][] curves;
  private final List<String> kinds;

  Knowledge(Scenario scenario, Machines machines) {
    for (int index = 0; index < machines.size(); index++) {
      devices.add(Device.of(DeviceKind.SIMULATED, index).withWeight(machines.spec(index).speed()));
    }
    kinds = scenario.workload().kinds();
    curves = new CostCurve[kinds.size()][machines.size()];
    if (scenario.conditions().calibrated()) {
      calibrate(scenario, machines);
    }
  }

  /** The devices as the core knows them; their weights are their speeds. */
  public List<Device> devices() {
    return devices;
  }

  public CostModel model() {
    return model;
  }

  public String kind(int group) {
    return kinds.get(group);
  }

  /** Predicted seconds; NaN while not learned. */
  public double seconds(int group, int device, double size) {
    return curve(group, device).seconds(size);
  }

  void learn(int group, int device, double size, double seconds) {
    curve(group, device).record(size, seconds);
  }

  private CostCurve curve(int group, int device) {
    CostCurve curve = curves[group][device];
    if (curve == null) {
      curve = model.curve(devices.get(device).id(), kinds.get(group));
      curves[group][device] = curve;
    }
    return curve;
  }

  /** Lets each device have done some work of each kind, drawn from another seed. */
  private void calibrate(Scenario scenario, Machines machines) {
    Workload.Stream other = scenario.workload().open(~scenario.seed(), scenario.fleet().capacity());
    int[] drawn = new int[kinds.size()];
    Arrival arrival = new Arrival();
    for (int i = 0; i < MOST_DRAWN && other.next(arrival); i++) {
      if (drawn[arrival.group]++ < SAMPLES) {
        for (int device = 0; device < machines.size(); device++) {
          DeviceSpec spec = machines.spec(device);
          double seconds =
              spec.overheads().item()
                  + spec.overheads().transfer() * arrival.size
                  + arrival.cost / spec.speed();
          learn(arrival.group, device, arrival.size, seconds);
          machines.measured(device).add(arrival.size, Math.round(seconds * 1e9), 0);
        }
      }
    }
  }
}
