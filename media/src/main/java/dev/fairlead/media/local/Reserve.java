package dev.fairlead.media.local;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.Discovery;
import dev.fairlead.lease.PoolException;
import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.job.TranscodeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Devices that encode where none of those that were chosen can. */
final class Reserve {
  private Reserve() {}

  /**
   * Has the reserve join the pool, where it stays; another job may have called it already.
   *
   * @throws TranscodeException.NoCapableDevice if all of it was tested
   */
  static List<Device> call(
      JobOptions options, List<Device> tested, TranscodeException.NoCapableDevice none) {
    Set<DeviceId> known = tested.stream().map(Device::id).collect(Collectors.toSet());
    List<Device> fresh = new ArrayList<>();
    for (Discovery.Found found : options.fleet().reserve().get()) {
      if (!known.contains(found.device().id())) {
        try {
          options.pool().add(found);
        } catch (PoolException.DuplicateDevice there) {
          // That is what is wanted.
        }
        fresh.add(found.device());
      }
    }
    if (fresh.isEmpty()) {
      throw none;
    }
    return fresh;
  }

  /** Who encodes now, as a sentence. */
  static String instead(List<Device> devices) {
    return devices.size() > 2
        ? "%s to %s encode instead".formatted(devices.getFirst(), devices.getLast())
        : devices.size() == 2
            ? "%s and %s encode instead".formatted(devices.getFirst(), devices.getLast())
            : devices.getFirst() + " encodes instead";
  }
}
