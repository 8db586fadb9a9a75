package dev.fairlead.media.prepare;

import dev.fairlead.device.Device;
import dev.fairlead.health.Health;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.media.codec.CodecConfig;
import dev.fairlead.media.settings.VideoSettings;
import dev.fairlead.media.supervise.FailedException;
import dev.fairlead.media.wire.Failure;
import dev.fairlead.policy.Demand;
import dev.fairlead.pool.DevicePool;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Trials of encoders. Each runs under a lease of its device, so that it does not disturb what other
 * jobs do there, and what an encoder has promised is remembered, by all that it was told. A refusal
 * is not: drivers do not say whether it lasts. Thread-safe; jobs of one process share one.
 */
public final class EncoderTrials {
  /** Longer than a device works on a chunk. */
  private static final Duration TO_LEASE = Duration.ofMinutes(5);

  /** A trial of an encoder. */
  interface Trial {
    CodecConfig.Picture run() throws InterruptedException;
  }

  private record Told(String codecs, VideoSettings settings) {}

  private final Map<Told, CodecConfig.Picture> promised = new ConcurrentHashMap<>();

  /**
   * What an encoder promises.
   *
   * @param codecs the version of the libraries that it is one of
   * @throws FailedException if the trial fails, or the device has no slot for it in time
   */
  CodecConfig.Picture of(
      DevicePool pool, Device device, String codecs, VideoSettings settings, Trial trial)
      throws InterruptedException {
    Told told = new Told(codecs, settings);
    CodecConfig.Picture known = promised.get(told);
    if (known == null) {
      known = serves(pool, device) ? leased(pool, device, trial) : trial.run();
      promised.put(told, known);
    }
    return known;
  }

  /** Nothing else runs on a device that does not serve. */
  private static boolean serves(DevicePool pool, Device device) {
    try {
      Health health = pool.health(device.id());
      return health == Health.READY || health == Health.SUSPECT;
    } catch (PoolException.UnknownDevice gone) {
      return false;
    }
  }

  private static CodecConfig.Picture leased(DevicePool pool, Device device, Trial trial)
      throws InterruptedException {
    Demand demand = Demand.any().onlyOn(device.id()).withoutContext();
    try (Lease lease = pool.lease(demand, TO_LEASE)) {
      try {
        return trial.run();
      } finally {
        // It says nothing of how fast or how well the device works.
        lease.giveBack();
      }
    } catch (PoolException.Rejected | PoolException.TimedOut none) {
      throw new FailedException(
          new Failure(Failure.Kind.DEVICE, String.valueOf(none.getMessage())));
    }
  }
}
