package dev.fairlead.cli;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Profile;
import dev.fairlead.doctor.host.Drivers;
import dev.fairlead.doctor.host.Machine;
import dev.fairlead.doctor.profile.ProfileFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a profile says of devices as they are now.
 *
 * @param proven what holds of them
 * @param notices what is wrong with the file, and what of it does not hold any more
 */
record ProvenDevices(Map<DeviceId, Profile.Proven> proven, List<String> notices) {
  private static final String NONE = "none";

  ProvenDevices {
    proven = Map.copyOf(proven);
    notices = List.copyOf(notices);
  }

  /** The file that is asked for; empty for none. */
  static Optional<ProfileFile> file(@Nullable String asked) {
    if (asked == null) {
      return Optional.of(usual());
    }
    return asked.equals(NONE)
        ? Optional.empty()
        : Optional.of(new ProfileFile(java.nio.file.Path.of(asked)));
  }

  static ProfileFile usual() {
    return new ProfileFile(StateDirectory.file("profile", ".json"));
  }

  static ProvenDevices of(Optional<ProfileFile> file, List<Device> devices) {
    List<String> notices = new ArrayList<>();
    boolean cards = devices.stream().anyMatch(device -> device.card().isPresent());
    if (!cards || file.isEmpty()) {
      return new ProvenDevices(Map.of(), notices);
    }
    return of(file.get().read(notices::add), devices, Machine.here(), notices);
  }

  static ProvenDevices of(
      Profile profile, List<Device> devices, Machine machine, List<String> notices) {
    Map<DeviceId, Profile.Proven> proven = new LinkedHashMap<>();
    for (Device device : devices) {
      Optional<Profile.Key> now = Drivers.key(device, machine);
      now.flatMap(profile::of).ifPresent(known -> proven.put(device.id(), known));
      now.flatMap(key -> profile.voided(key).map(old -> voided(device, key, old.key())))
          .ifPresent(notices::add);
    }
    return new ProvenDevices(proven, notices);
  }

  private static String voided(Device device, Profile.Key now, Profile.Key then) {
    String what =
        now.driver().equals(then.driver())
            ? "FFmpeg was %s and is %s".formatted(then.codecs(), now.codecs())
            : "its driver was %s and is %s".formatted(then.driver(), now.driver());
    return "What was proven of %s is void: %s; 'fairlead doctor' proves it anew"
        .formatted(device.label(), what);
  }

  /** The same devices with as many slots as are worth it. */
  Discovery slotted(Discovery found) {
    return new Discovery(
        found.found().stream()
            .map(each -> new Discovery.Found(slotted(each.device()), each.provider()))
            .toList(),
        found.problems());
  }

  private Device slotted(Device device) {
    Profile.Proven known = proven.get(device.id());
    return known == null || known.encodeSlots().isEmpty()
        ? device
        : device.withSlots(known.encodeSlots().getAsInt());
  }
}
