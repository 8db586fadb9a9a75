package dev.fairlead.units;

import dev.fairlead.device.Device;
import java.time.Duration;
import java.util.List;

/** What a unit queue has done so far, by device and by group. */
public record ServiceReport(List<DeviceShare> devices, List<GroupShare> groups) {
  /**
   * One device.
   *
   * @param units that it committed
   * @param failures tries that failed there; struck off or cancelled ones are none
   * @param clones second copies that it began
   * @param busy time in tries that are over, whatever came of them
   */
  public record DeviceShare(Device device, long units, long failures, long clones, Duration busy) {}

  /** One group: how many of its units wait, run, and ended how. */
  public record GroupShare(int waiting, int running, long done, long condemned, long cancelled) {}

  public ServiceReport {
    devices = List.copyOf(devices);
    groups = List.copyOf(groups);
  }
}
