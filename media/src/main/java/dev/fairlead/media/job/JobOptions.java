package dev.fairlead.media.job;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Profile;
import dev.fairlead.media.choice.DecodeChoice;
import dev.fairlead.media.choice.FramesChoice;
import dev.fairlead.media.plan.HostMemory;
import dev.fairlead.media.plan.Pumps;
import dev.fairlead.policy.ServicePolicy;
import dev.fairlead.pool.DevicePool;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a transcode runs on, and how.
 *
 * @param pool its devices; it belongs to the caller
 * @param placement which chunk of which rung a free device takes
 * @param chaos faults that are made on purpose
 * @param patience after how long without a sign of progress a worker counts as hung
 * @param decoder the GPU that decodes; empty for the processor
 * @param pumps how many may decode at once, where the source can be split
 * @param confined whether the worker process may touch only what it needs
 * @param sink takes the packets; then no files are made but those that a job goes on from
 * @param memoryBytes how much memory a job may use that does not say how much
 * @param strict whether a source that ends early or is damaged fails the job
 * @param reserve devices that join the pool if none of its own can encode a rung; asked for then
 * @param proven what is known of devices by trials on this machine
 * @param frames where pictures are scaled for cards
 */
public record JobOptions(
    DevicePool pool,
    ServicePolicy placement,
    ChaosPlan chaos,
    Duration patience,
    Optional<Device> decoder,
    Pumps pumps,
    boolean confined,
    Optional<PacketSink> sink,
    long memoryBytes,
    boolean strict,
    Supplier<List<Discovery.Found>> reserve,
    Map<DeviceId, Profile.Proven> proven,
    FramesChoice frames) {
  public JobOptions {
    proven = Map.copyOf(proven);
  }

  /** Decodes on the first GPU of the pool, if it has any, and makes files. */
  public JobOptions(DevicePool pool, ServicePolicy placement, ChaosPlan chaos, Duration patience) {
    this(
        pool,
        placement,
        chaos,
        patience,
        DecodeChoice.of(pool.devices(), null),
        Pumps.usual(),
        true,
        Optional.empty(),
        HostMemory.here().half(),
        false,
        List::of,
        Map.of(),
        FramesChoice.AUTO);
  }

  public JobOptions withDecoder(Optional<Device> other) {
    return new JobOptions(
        pool,
        placement,
        chaos,
        patience,
        other,
        pumps,
        confined,
        sink,
        memoryBytes,
        strict,
        reserve,
        proven,
        frames);
  }

  public JobOptions withPumps(Pumps other) {
    return new JobOptions(
        pool,
        placement,
        chaos,
        patience,
        decoder,
        other,
        confined,
        sink,
        memoryBytes,
        strict,
        reserve,
        proven,
        frames);
  }

  /** The worker may touch all that its user may. */
  public JobOptions withoutConfinement() {
    return new JobOptions(
        pool,
        placement,
        chaos,
        patience,
        decoder,
        pumps,
        false,
        sink,
        memoryBytes,
        strict,
        reserve,
        proven,
        frames);
  }

  public JobOptions withSink(PacketSink other) {
    return new JobOptions(
        pool,
        placement,
        chaos,
        patience,
        decoder,
        pumps,
        confined,
        Optional.of(other),
        memoryBytes,
        strict,
        reserve,
        proven,
        frames);
  }

  public JobOptions withMemoryBytes(long other) {
    return new JobOptions(
        pool, placement, chaos, patience, decoder, pumps, confined, sink, other, strict, reserve,
        proven, frames);
  }

  public JobOptions withStrict(boolean other) {
    return new JobOptions(
        pool,
        placement,
        chaos,
        patience,
        decoder,
        pumps,
        confined,
        sink,
        memoryBytes,
        other,
        reserve,
        proven,
        frames);
  }

  public JobOptions withReserve(Supplier<List<Discovery.Found>> other) {
    return new JobOptions(
        pool,
        placement,
        chaos,
        patience,
        decoder,
        pumps,
        confined,
        sink,
        memoryBytes,
        strict,
        other,
        proven,
        frames);
  }

  public JobOptions withProven(Map<DeviceId, Profile.Proven> other) {
    return new JobOptions(
        pool,
        placement,
        chaos,
        patience,
        decoder,
        pumps,
        confined,
        sink,
        memoryBytes,
        strict,
        reserve,
        other,
        frames);
  }

  public JobOptions withFrames(FramesChoice other) {
    return new JobOptions(
        pool,
        placement,
        chaos,
        patience,
        decoder,
        pumps,
        confined,
        sink,
        memoryBytes,
        strict,
        reserve,
        proven,
        other);
  }
}
