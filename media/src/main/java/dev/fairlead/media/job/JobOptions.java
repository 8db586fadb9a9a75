package dev.fairlead.media.job;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Profile;
import dev.fairlead.media.choice.DecodeChoice;
import dev.fairlead.media.choice.FramesChoice;
import dev.fairlead.media.plan.HostMemory;
import dev.fairlead.media.plan.Pumps;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.policy.ServicePolicies;
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
 * @param fleet the devices
 * @param decoding how the source is decoded
 * @param worker how the worker process is kept
 * @param result where the result goes, and what it may lack
 * @param memoryBytes how much memory a job may use whose request does not say it
 */
public record JobOptions(
    Fleet fleet, Decoding decoding, WorkerRules worker, Result result, long memoryBytes) {
  private static final Duration USUAL_PATIENCE = Duration.ofMinutes(2);

  /**
   * The devices of a job.
   *
   * @param pool those that encode; it belongs to the caller
   * @param service which chunk of which rung a free device takes
   * @param reserve devices that join the pool if none of its own can encode a rung; asked for then
   * @param proven what is known of devices by trials on this machine
   * @param frames where pictures are scaled for cards
   */
  public record Fleet(
      DevicePool pool,
      ServicePolicy service,
      Supplier<List<Discovery.Found>> reserve,
      Map<DeviceId, Profile.Proven> proven,
      FramesChoice frames) {
    public Fleet {
      proven = Map.copyOf(proven);
    }
  }

  /**
   * How a source is decoded.
   *
   * @param devices the GPUs that may decode: the first does, each other one beside it if that is
   *     proven; empty for the processor
   * @param pumps how many may decode at once, where the source can be split
   */
  public record Decoding(List<Device> devices, Pumps pumps) {
    public Decoding {
      devices = List.copyOf(devices);
    }
  }

  /**
   * How a worker process is kept.
   *
   * @param patience after how long without a sign of progress it counts as hung
   * @param confined whether it may touch only what it needs
   * @param chaos faults that are made on purpose
   */
  public record WorkerRules(Duration patience, boolean confined, ChaosPlan chaos) {
    public WorkerRules {
      if (!patience.isPositive()) {
        throw new IllegalArgumentException(
            "The patience is %s; it is above zero, or nothing would end in time"
                .formatted(patience));
      }
    }
  }

  /**
   * What becomes of the result.
   *
   * @param sink takes the packets; then no files are made but those that a job goes on from
   * @param strict whether a source that ends early or is damaged fails the job
   */
  public record Result(Optional<PacketSink> sink, boolean strict) {}

  /**
   * Decodes on the first GPU of the pool, if it has any, else on the processor; every device takes
   * chunks of any rung; makes files.
   */
  public static JobOptions usual(DevicePool pool) {
    return new JobOptions(pool, ServicePolicies.anyRung(), ChaosPlan.none(), USUAL_PATIENCE);
  }

  /** Decodes on the first GPU of the pool, if it has any, and makes files. */
  public JobOptions(DevicePool pool, ServicePolicy service, ChaosPlan chaos, Duration patience) {
    this(
        new Fleet(pool, service, List::of, Map.of(), FramesChoice.AUTO),
        new Decoding(DecodeChoice.of(pool.devices(), null), Pumps.usual()),
        new WorkerRules(patience, true, chaos),
        new Result(Optional.empty(), false),
        HostMemory.here().half());
  }

  public DevicePool pool() {
    return fleet.pool;
  }

  /** How many GPUs may decode together. */
  public int decodersTogether() {
    return (int)
        decoding.devices.stream()
            .flatMap(card -> Optional.ofNullable(fleet.proven.get(card.id())).stream())
            .filter(known -> !known.decodes().isEmpty())
            .count();
  }

  /**
   * How many pumps may decode at once, those on GPUs included, which take no processor; there are
   * several only where there may be.
   *
   * @param onProcessor how many may be on the processor
   */
  public Pumps pumps(int onProcessor) {
    Pumps usual = decoding.pumps.atMost(onProcessor);
    return decoding.pumps.most() > 1 ? usual.orMost(decodersTogether()) : usual;
  }

  /** How much memory a job may use. */
  public long bound(TranscodeRequest request) {
    return request.memoryBytes().orElse(memoryBytes);
  }

  private JobOptions with(Fleet other) {
    return new JobOptions(other, decoding, worker, result, memoryBytes);
  }

  private JobOptions with(Decoding other) {
    return new JobOptions(fleet, other, worker, result, memoryBytes);
  }

  private JobOptions with(WorkerRules other) {
    return new JobOptions(fleet, decoding, other, result, memoryBytes);
  }

  private JobOptions with(Result other) {
    return new JobOptions(fleet, decoding, worker, other, memoryBytes);
  }

  /** Which chunk of which rung a free device takes. */
  public JobOptions withService(ServicePolicy other) {
    return with(new Fleet(fleet.pool, other, fleet.reserve, fleet.proven, fleet.frames));
  }

  public JobOptions withReserve(Supplier<List<Discovery.Found>> other) {
    return with(new Fleet(fleet.pool, fleet.service, other, fleet.proven, fleet.frames));
  }

  public JobOptions withProven(Map<DeviceId, Profile.Proven> other) {
    return with(new Fleet(fleet.pool, fleet.service, fleet.reserve, other, fleet.frames));
  }

  public JobOptions withFrames(FramesChoice other) {
    return with(new Fleet(fleet.pool, fleet.service, fleet.reserve, fleet.proven, other));
  }

  /** The GPUs that may decode, the first of which does; none for the processor. */
  public JobOptions withDecoders(List<Device> other) {
    return with(new Decoding(other, decoding.pumps));
  }

  public JobOptions withPumps(Pumps other) {
    return with(new Decoding(decoding.devices, other));
  }

  /** The worker may touch all that its user may. */
  public JobOptions withoutConfinement() {
    return with(new WorkerRules(worker.patience, false, worker.chaos));
  }

  /** After how long without a sign of progress a worker counts as hung. */
  public JobOptions withPatience(Duration other) {
    return with(new WorkerRules(other, worker.confined, worker.chaos));
  }

  /** Rehearses faults. */
  public JobOptions withChaos(ChaosPlan other) {
    return with(new WorkerRules(worker.patience, worker.confined, other));
  }

  public JobOptions withSink(PacketSink other) {
    return with(new Result(Optional.of(other), result.strict));
  }

  public JobOptions withStrict(boolean other) {
    return with(new Result(result.sink, other));
  }

  public JobOptions withMemoryBytes(long other) {
    return new JobOptions(fleet, decoding, worker, result, other);
  }
}
