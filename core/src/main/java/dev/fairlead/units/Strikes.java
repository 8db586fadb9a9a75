package dev.fairlead.units;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which devices were struck off the groups of a party, and why. Owned by the scheduler. */
final class Strikes {
  private final List<Map<DeviceId, String>> byGroup = new ArrayList<>();

  Strikes(int groups) {
    for (int group = 0; group < groups; group++) {
      byGroup.add(new HashMap<>());
    }
  }

  /** False if the device was struck off before. */
  boolean add(int group, DeviceId device, String reason) {
    return byGroup.get(group).putIfAbsent(device, reason) == null;
  }

  void forget(int group) {
    byGroup.get(group).clear();
  }

  /** Why each device was struck off a group. */
  Map<DeviceId, String> of(int group) {
    return byGroup.get(group);
  }

  /** Those of the devices that may serve the group. */
  List<Device> without(int group, List<Device> devices) {
    Map<DeviceId, String> struck = byGroup.get(group);
    return struck.isEmpty()
        ? devices
        : devices.stream().filter(device -> !struck.containsKey(device.id())).toList();
  }
}
