package dev.fairlead.media.job;

import dev.fairlead.policy.ServicePolicy;
import dev.fairlead.pool.DevicePool;
import java.time.Duration;
import java.util.Optional;

/**
 * What a transcode runs on, and how.
 *
 * @param pool its devices; it belongs to the caller
 * @param placement which chunk of which rung a free device takes
 * @param chaos faults that are made on purpose
 * @param patience how long a chunk may take before its worker counts as hung
 * @param sink takes the packets; then no files are made but those that a job goes on from
 */
public record JobOptions(
    DevicePool pool,
    ServicePolicy placement,
    ChaosPlan chaos,
    Duration patience,
    Optional<PacketSink> sink) {
  public JobOptions(DevicePool pool, ServicePolicy placement, ChaosPlan chaos, Duration patience) {
    this(pool, placement, chaos, patience, Optional.empty());
  }

  public JobOptions withSink(PacketSink other) {
    return new JobOptions(pool, placement, chaos, patience, Optional.of(other));
  }
}
