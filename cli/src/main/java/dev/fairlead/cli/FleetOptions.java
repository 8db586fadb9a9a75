package dev.fairlead.cli;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Engine;
import dev.fairlead.media.choice.DecodeChoice;
import dev.fairlead.media.choice.FramesChoice;
import dev.fairlead.media.job.ChaosPlan;
import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.plan.WrittenAmount;
import dev.fairlead.policy.Policies;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.policy.ServicePolicy;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.PoolOptions;
import dev.fairlead.stats.CostModel;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which devices work, and how work comes to them. */
final class FleetOptions {
  private static final String PLACEMENT = "earliest-finish";

  private static final int MOST_SESSIONS = 64;

  @Option(
      names = "--devices",
      paramLabel = "TERMS",
      defaultValue = "all",
      description =
          "Which devices: all (every accelerator, and the processor's lanes where none can do the"
              + " work), all,cpu (both), cpu (a lane for each core), cpu:4 (four lanes), lane:0"
              + " (the first lane), nvidia, intel, amd, and what 'fairlead devices' prints first,"
              + " with a weight: cuda:1*0.5 (default: all).")
  private String terms;

  @Option(
      names = "--placement",
      paramLabel = "NAME",
      defaultValue = PLACEMENT,
      completionCandidates = PolicyNames.Placement.class,
      description =
          "Which device takes what belongs to no rung: ${COMPLETION-CANDIDATES} (default:"
              + " ${DEFAULT-VALUE}).")
  private String placement;

  /** What {@code --placement} was called before; to be removed after 0.1. */
  @Option(names = "--strategy", hidden = true)
  private @Nullable String strategy;

  @Option(
      names = "--service",
      paramLabel = "NAME",
      defaultValue = "any-rung",
      completionCandidates = PolicyNames.Service.class,
      description =
          "Which chunk of which rung a free device takes: ${COMPLETION-CANDIDATES} (default:"
              + " ${DEFAULT-VALUE}).")
  private String service;

  @Option(
      names = "--sessions-per-device",
      paramLabel = "N",
      description =
          "Encoders that a device runs at a time (default: what 'fairlead doctor' has proven, else"
              + " 2 on a GPU and 1 on a lane).")
  private @Nullable Integer sessions;

  @Option(
      names = "--profile",
      paramLabel = "FILE",
      description =
          "What 'fairlead doctor' has proven of this machine's cards, or none (default: the "
              + "file that it writes).")
  private @Nullable String profile;

  @Option(
      names = "--decode-device",
      paramLabel = "ID",
      description =
          "cpu, or one of the selected devices (default: the first GPU, beside it each other one "
              + "that 'fairlead doctor' has proven; else cpu).")
  private @Nullable String decodeDevice;

  @Option(
      names = "--frames",
      paramLabel = "auto|device|host",
      defaultValue = "auto",
      description =
          "Where pictures are scaled for cards: device keeps them in a card's own memory, "
              + "host does not, auto does where 'fairlead doctor' has proven it (default: "
              + "${DEFAULT-VALUE}).")
  private String frames;

  @Option(
      names = "--model",
      paramLabel = "FILE",
      description =
          "Where learned costs are kept from run to run, or none (default: a file for this "
              + "machine; 'fairlead model' shows it).")
  private @Nullable String model;

  @Option(
      names = "--chaos",
      paramLabel = "SPEC",
      description =
          "Make faults on purpose: KIND@WHEN[xTIMES],… with the kinds throw, hang, lie, "
              + "garble, memory, lost, crash and kill, at a chunk of the first rung (3) or of any "
              + "(720p/3), at a time (12s) or by chance (10%%); seed=N.")
  private @Nullable String chaos;

  @Option(
      names = "--hang-timeout",
      paramLabel = "SECONDS",
      defaultValue = "120",
      description =
          "After how long without a sign of progress an encoder or the decoder counts as "
              + "hung (default: 120).")
  private String patience;

  @Option(
      names = "--no-confinement",
      description = "Let the worker process touch all that you may: any file, the network.")
  private boolean unconfined;

  @SuppressWarnings("NullAway.Init") // picocli sets the fields before it runs a command
  FleetOptions() {}

  /**
   * The devices that are selected.
   *
   * @throws TranscodeException.NoCapableDevice if that is none
   */
  Discovery discover() {
    Discovery found = EncodingDevices.find(terms);
    if (found.devices().isEmpty()) {
      throw new TranscodeException.NoCapableDevice(
          "No device is selected by --devices %s%s. 'fairlead devices' lists what is there"
              .formatted(terms, problems(found)));
    }
    decoders(found.devices());
    return slotted(found);
  }

  private ProvenDevices proven(List<Device> devices) {
    return ProvenDevices.of(ProvenDevices.file(profile), devices);
  }

  private Discovery slotted(Discovery found) {
    Discovery encoding = slotted(found, sessions);
    return sessions == null ? proven(found.devices()).slotted(encoding) : encoding;
  }

  /** The devices as they encode; how much at a time can be said for all of them. */
  static Discovery slotted(Discovery found, @Nullable Integer sessions) {
    if (sessions == null) {
      return found.on(Engine.ENCODE);
    }
    if (sessions < 1 || sessions > MOST_SESSIONS) {
      throw new IllegalArgumentException(
          "--sessions-per-device is %d; it can be 1 to %d".formatted(sessions, MOST_SESSIONS));
    }
    int slots = sessions;
    return found.map(device -> device.withSlots(slots));
  }

  private static String problems(Discovery found) {
    return found.problems().isEmpty()
        ? ""
        : found.problems().stream()
            .map(Discovery.Problem::toString)
            .collect(Collectors.joining("; ", " (", ")"));
  }

  private List<Device> decoders(List<Device> devices) {
    try {
      return DecodeChoice.of(devices, decodeDevice);
    } catch (IllegalArgumentException unknown) {
      throw new IllegalArgumentException("--decode-device " + unknown.getMessage(), unknown);
    }
  }

  /** A pool of the devices; whoever asks closes it. */
  DevicePool open(Discovery discovery, PrintWriter err) {
    proven(discovery.devices()).notices().forEach(notice -> tell(err, notice));
    ineffective(discovery.devices()).forEach(notice -> tell(err, notice));
    CostModel costs =
        ModelFile.of(model)
            .map(file -> file.open(discovery.devices(), trouble -> tell(err, trouble)))
            .orElseGet(CostModel::new);
    // Workers encode: they are to find the room that contexts of this process would take.
    return DevicePool.open(discovery, poolOptions().withCosts(costs).withContextsOnUse());
  }

  /** What is said of options that were given and change nothing with these devices. */
  List<String> ineffective(List<Device> devices) {
    if (devices.stream().anyMatch(device -> !device.isOnHostCores())) {
      return List.of();
    }
    List<String> notices = new ArrayList<>();
    if (FramesChoice.named(frames) != FramesChoice.AUTO) {
      notices.add("--frames %s has no effect: no card is selected".formatted(frames));
    }
    if (profile != null && ProvenDevices.file(profile).isPresent()) {
      notices.add("--profile has no effect: no card is selected");
    }
    return notices;
  }

  /** Keeps what the pool has learned for the next run. */
  void remember(DevicePool pool, List<Device> devices, PrintWriter err) {
    ModelFile.of(model)
        .ifPresent(
            file -> file.save(pool.options().costs(), devices, trouble -> tell(err, trouble)));
  }

  private static void tell(PrintWriter err, String trouble) {
    err.println("fairlead: " + trouble);
    err.flush();
  }

  private PoolOptions poolOptions() {
    String name = isService(placement) ? PLACEMENT : placement;
    return PoolOptions.usual().withPolicy(Policies.named(strategy == null ? name : strategy));
  }

  /** Reads the options that need no device, so that a mistake is found before any work. */
  void check() {
    poolOptions();
    if (model != null) {
      ModelFile.of(model).ifPresent(ModelFile::read);
    }
    service();
    FramesChoice.named(frames);
    faults();
    patience();
  }

  JobOptions job(DevicePool pool) {
    JobOptions options =
        new JobOptions(pool, service(), faults(), patience())
            .withDecoders(decoders(pool.devices()))
            .withProven(proven(pool.devices()).proven())
            .withFrames(FramesChoice.named(frames));
    JobOptions complete =
        terms.strip().equals(EncodingDevices.ALL) ? options.withReserve(this::lanes) : options;
    return isConfined() ? complete : complete.withoutConfinement();
  }

  /** What {@code all} means where no accelerator can encode what is asked for. */
  private List<Discovery.Found> lanes() {
    return slotted(Discovery.find(DeviceKind.CPU.toString())).found();
  }

  /** Whether the worker process may touch only what it needs. */
  boolean isConfined() {
    return !unconfined;
  }

  private ChaosPlan faults() {
    return chaos == null ? ChaosPlan.none() : ChaosPlan.parse(chaos);
  }

  private Duration patience() {
    Duration time = WrittenAmount.time(patience);
    if (time.isZero()) {
      throw new IllegalArgumentException("--hang-timeout is zero; nothing would end in time");
    }
    return time;
  }

  private ServicePolicy service() {
    return ServicePolicies.named(isService(placement) ? placement : service);
  }

  /** What {@code --service} takes, {@code --placement} took before; until after 0.1. */
  private static boolean isService(String name) {
    return ServicePolicies.find(name).isPresent();
  }
}
