package dev.fairlead.media.job;

import dev.fairlead.device.Device;
import dev.fairlead.dispatch.ServiceReport;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.Health;
import dev.fairlead.pool.PoolException;
import java.util.Comparator;
import java.util.List;

/** What each device did. */
final class Shares {
  private Shares() {}

  static List<TranscodeResult.DeviceResult> of(Ladder.Parts parts, ServiceReport report) {
    List<Device> order = parts.encoders().devices();
    return report.devices().stream()
        .sorted(Comparator.comparingInt(share -> order.indexOf(share.device())))
        .map(share ->
            new TranscodeResult.DeviceResult(
                share.device().label(),
                share.device().name(),
                share.units(),
                share.busy().toNanos() / 1e9,
                share.failures(),
                health(parts.options().pool(), share.device()).name()))
        .toList();
  }

  static boolean isLost(DevicePool pool, Device device) {
    return health(pool, device) == Health.LOST;
  }

  private static Health health(DevicePool pool, Device device) {
    try {
      return pool.health(device.id());
    } catch (PoolException.UnknownDevice gone) {
      return Health.LOST;
    }
  }
}
