package dev.fairlead.media.job;

import dev.fairlead.media.plan.Pumps;
import dev.fairlead.policy.ServicePolicy;
import dev.fairlead.pool.DevicePool;
import java.time.Duration;

/**
 * What a transcode runs on, and how.
 *
 * @param pool its devices; it belongs to the caller
 * @param placement which chunk of which rung a free device takes
 * @param chaos faults that are made on purpose
 * @param patience how long a chunk may take before its worker counts as hung
 * @param pumps how many may decode at once, where the source can be split
 */
public record JobOptions(
    DevicePool pool, ServicePolicy placement, ChaosPlan chaos, Duration patience, Pumps pumps) {
  public JobOptions(DevicePool pool, ServicePolicy placement, ChaosPlan chaos, Duration patience) {
    this(pool, placement, chaos, patience, Pumps.usual());
  }
}
