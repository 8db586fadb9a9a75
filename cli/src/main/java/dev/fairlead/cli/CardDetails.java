package dev.fairlead.cli;

import dev.fairlead.device.Capability;
import dev.fairlead.device.Device;
import dev.fairlead.device.Profile;
import dev.fairlead.doctor.host.Drivers;
import dev.fairlead.doctor.host.Machine;
import dev.fairlead.media.prepare.DeviceTrials;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What there is to say of the card that a device is on: its faces, its driver, its profile. */
final class CardDetails {
  private CardDetails() {}

  /** Nothing for what is on no card. */
  static Map<String, String> of(Device device, ProvenDevices proven, Machine machine) {
    Map<String, String> details = new LinkedHashMap<>();
    Optional<Profile.Key> key = Drivers.key(device, machine);
    if (key.isPresent()) {
      details.put("faces", String.join(" + ", faces(device)));
      details.put("driver", key.get().driver());
      details.put("profile", profile(device, proven));
      String copies = proven.copies().get(device.id());
      if (copies != null) {
        details.put("copies", copies);
      }
    }
    return details;
  }

  private static List<String> faces(Device device) {
    List<String> faces = new ArrayList<>();
    if (device.features().capabilities().contains(Capability.COMPUTE)) {
      faces.add("computes (%s)".formatted(device.kind()));
    }
    DeviceTrials.address(device)
        .ifPresent(address ->
            faces.add(
                address.api().equals("vaapi")
                    ? "encodes (VAAPI %s)".formatted(address.device())
                    : "encodes (NVENC)"));
    return faces;
  }

  private static String profile(Device device, ProvenDevices proven) {
    Profile.Proven known = proven.proven().get(device.id());
    if (known != null) {
      return "applies";
    }
    return proven.notices().stream()
            .anyMatch(notice -> notice.contains(device.label() + " is void"))
        ? "void"
        : "none yet";
  }
}
