package dev.fairlead.media.prepare;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.Profile;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Devices that need not be tried for a rung: they have failed it, or were proven unable before. */
public final class Unable {
  private final Map<DeviceId, Profile.Proven> proven;
  private final Map<String, Set<DeviceId>> failed = new HashMap<>();

  public Unable(Map<DeviceId, Profile.Proven> proven) {
    this.proven = Map.copyOf(proven);
  }

  /** A rung has lost the devices that kept its promise. */
  public void add(RungLost lost) {
    failed.computeIfAbsent(lost.rung(), rung -> new HashSet<>()).addAll(lost.failed());
  }

  /** Why a device is not tried; empty if it is. */
  Optional<String> reason(Device device, String rung, String codec, int depth) {
    if (failed.getOrDefault(rung, Set.of()).contains(device.id())) {
      return Optional.of(device + " has failed it");
    }
    return Optional.ofNullable(proven.get(device.id()))
        .flatMap(known -> known.impossible(codec, depth))
        .map(reason -> "%s is unable by its profile: %s".formatted(device, reason));
  }
}
