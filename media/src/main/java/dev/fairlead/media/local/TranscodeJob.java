package dev.fairlead.media.local;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.Discovery;
import dev.fairlead.media.choice.CardFrames;
import dev.fairlead.media.choice.CodecChoice;
import dev.fairlead.media.choice.DeviceAddress;
import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.job.TranscodeResult;
import dev.fairlead.media.ladder.LadderRun;
import dev.fairlead.media.output.EarlierResult;
import dev.fairlead.media.output.PackageWriter;
import dev.fairlead.media.plan.Fingerprint;
import dev.fairlead.media.plan.PlanException;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.prepare.Admission;
import dev.fairlead.media.prepare.Encoders;
import dev.fairlead.media.prepare.JobContext;
import dev.fairlead.media.prepare.Rehearsal;
import dev.fairlead.media.prepare.RungLost;
import dev.fairlead.media.prepare.TrialRules;
import dev.fairlead.media.prepare.Unable;
import dev.fairlead.media.progress.GuardedListener;
import dev.fairlead.media.progress.JobStore;
import dev.fairlead.media.progress.JobTotals;
import dev.fairlead.media.progress.Published;
import dev.fairlead.media.progress.SourceStamp;
import dev.fairlead.media.progress.WorkTimes;
import dev.fairlead.media.source.MediaInfo;
import dev.fairlead.media.store.CorruptChunk;
import dev.fairlead.media.store.JournalEntry;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.supervise.Codecs;
import dev.fairlead.media.supervise.Confinement;
import dev.fairlead.media.supervise.Supervisor;
import dev.fairlead.media.supervise.WorkerOwner;
import dev.fairlead.media.supervise.WorkerProcess;
import dev.fairlead.media.supervise.WorkerProcess.FailedException;
import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Failure;
import dev.fairlead.media.wire.Report;
import dev.fairlead.pool.Health;
import dev.fairlead.pool.PoolException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One transcode from request to package: probes, plans, tests the encoders, and hands over to the
 * {@link LadderRun}.
 */
final class TranscodeJob implements WorkerOwner {
  /** Where the driver of CUDA keeps what processes share. */
  private static final Duration TO_PROBE = Duration.ofMinutes(2);

  private static final int MOST_REPAIRS = 3;

  private final TranscodeRequest request;
  private final JobOptions options;
  private final Rehearsal rehearsal;
  private final GuardedListener listener;
  private final WorkTimes clock = new WorkTimes();
  private final JobTotals totals = new JobTotals();

  /** By rung, devices that could not encode it. */
  private final Unable unable;

  private final TrialRules rules;

  private @Nullable SourceStamp source;
  private int repairs;
  private volatile @Nullable LadderRun ladder;
  private volatile boolean cancelled;

  TranscodeJob(TranscodeRequest request, JobOptions options, TranscodeListener listener) {
    this.request = request;
    this.options = options;
    this.rehearsal = new Rehearsal(options.chaos());
    this.unable = new Unable(options.proven());
    this.listener = new GuardedListener(listener);
    this.rules =
        new TrialRules(unable, new CardFrames(options.frames(), options.proven(), this::notice));
  }

  TranscodeResult run() throws InterruptedException {
    try {
      return runInStore();
    } catch (UncheckedIOException failure) {
      throw new TranscodeException.Storage(
          "%s: %s".formatted(failure.getMessage(), failure.getCause()), failure);
    }
  }

  private TranscodeResult runInStore() throws InterruptedException {
    try (JobStore store = JobStore.open(request)) {
      TranscodePlan plan = null;
      RungLost before = null;
      Codecs codecs = codecs();
      // Each pass has lost a rung with a device at least, so they come to an end.
      for (int passes = options.pool().devices().size(); ; ) {
        Confinement confinement = confinement(store);
        try (Supervisor supervisor =
            new Supervisor(
                reports -> WorkerProcess.start(codecs, store.log(), confinement, reports),
                totals,
                this)) {
          if (plan == null) {
            source = SourceStamp.of(request.input());
            Report.Probed probed = probe(supervisor);
            plan = plan(probed.info());
            if (store.takeUp(fingerprint(plan, probed.codecs()), names(plan), this::notice)) {
              return tellFinished(EarlierResult.result(plan, store));
            }
          }
          return tellFinished(encode(plan, store, supervisor));
        } catch (RungLost lost) {
          passes--;
          if (passes < 1) {
            throw lost.otherwise();
          }
          before = lost;
          unable.add(lost);
          notice(
              "Rung %s is encoded again with what other devices can promise: %s"
                  .formatted(lost.rung(), lost.getMessage()));
        } catch (CorruptChunk damaged) {
          repair(damaged, store.loseCorrupt() + " are encoded again");
        } catch (Published.Changed changed) {
          repair(changed, "published again");
        } catch (TranscodeException.NoCapableDevice none) {
          throw before == null ? none : before.otherwise();
        }
      }
    }
  }

  private SourceStamp source() {
    return Objects.requireNonNull(source);
  }

  private List<String> names(TranscodePlan plan) {
    return options.sink().isPresent() ? List.of() : PackageWriter.names(plan);
  }

  /** Goes on after files of the job were damaged; not for ever. */
  private void repair(RuntimeException damage, String what) {
    repairs++;
    if (repairs > MOST_REPAIRS) {
      throw new TranscodeException.Storage(
          damage.getMessage() + "; again and again: the disk, or another program, damages files",
          damage);
    }
    notice("%s: %s".formatted(damage.getMessage(), what));
  }

  /** What must be the same for a job to go on. */
  private Fingerprint fingerprint(TranscodePlan plan, String codecs) {
    try {
      return plan.fingerprint()
          .with("source modified", Files.getLastModifiedTime(request.input()))
          .with("codecs", codecs)
          .with("delivery", options.sink().isPresent() ? "sink" : "files");
    } catch (IOException gone) {
      throw new TranscodeException.Unreadable(
          "%s cannot be read: %s".formatted(request.input(), gone));
    }
  }

  private TranscodeResult encode(TranscodePlan plan, JobStore store, Supervisor supervisor)
      throws InterruptedException {
    Admission admission = admission(plan);
    List<Device> tested = usable();
    Encoders encoders;
    try {
      encoders = test(plan, admission, store, supervisor);
    } catch (TranscodeException.NoCapableDevice none) {
      List<Device> joined = callReserve(tested, none);
      notice(
          "%s. %s%s"
              .formatted(
                  none.getMessage(),
                  instead(joined),
                  Encoders.alternatives(plan, tested, supervisor, rules)));
      admission = admission(plan);
      encoders = test(plan, admission, store, supervisor);
    }
    promise(plan, encoders, store);
    supervisor.suspect(store.suspects());
    try (LadderRun made =
        new LadderRun(
            new JobContext(
                plan,
                options,
                rehearsal,
                store,
                supervisor,
                source(),
                encoders,
                admission,
                listener,
                clock,
                totals))) {
      ladder = made;
      if (cancelled) {
        throw new TranscodeException.Cancelled();
      }
      return made.run();
    } finally {
      ladder = null;
    }
  }

  private List<Device> usable() {
    return options.pool().devices().stream()
        .filter(device -> JobTotals.health(options.pool(), device) != Health.LOST)
        .toList();
  }

  private Admission admission(TranscodePlan plan) {
    List<Device> encoding =
        usable().stream().filter(device -> Encoders.mayEncode(plan, device)).toList();
    return Admission.of(plan, encoding, options.pumps(), bound());
  }

  private Encoders test(
      TranscodePlan plan, Admission admission, JobStore store, Supervisor supervisor)
      throws InterruptedException {
    List<Device> admitted = admission.isScarce() ? admission.devices() : usable();
    return Encoders.test(plan, admitted, supervisor, store.promises(), rules);
  }

  /**
   * Has the reserve join the pool, where it stays; another job may have called it already.
   *
   * @throws TranscodeException.NoCapableDevice if all of it was tested
   */
  private List<Device> callReserve(List<Device> tested, TranscodeException.NoCapableDevice none) {
    Set<DeviceId> known = tested.stream().map(Device::id).collect(Collectors.toSet());
    List<Device> fresh = new ArrayList<>();
    for (Discovery.Found found : options.reserve().get()) {
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

  private static String instead(List<Device> devices) {
    return devices.size() > 2
        ? "%s to %s encode instead".formatted(devices.getFirst(), devices.getLast())
        : devices.size() == 2
            ? "%s and %s encode instead".formatted(devices.getFirst(), devices.getLast())
            : devices.getFirst() + " encodes instead";
  }

  private Codecs codecs() {
    CodecChoice choice = CodecChoice.of(options.pool().devices());
    if (!choice.notice().isEmpty()) {
      notice(choice.notice());
    }
    return choice.codecs();
  }

  /** The worker reads the source, and writes where the job's chunks are. */
  private Confinement confinement(JobStore store) {
    if (!options.confined()) {
      return Confinement.none().withMemory(bound());
    }
    if (!Confinement.isPossible()) {
      notice("The worker is not confined: this kernel has no Landlock");
    }
    List<Path> written = new ArrayList<>(List.of(store.directory()));
    List<Device> devices = options.pool().devices();
    written.addAll(DeviceAddress.written(devices));
    return Confinement.to(List.of(request.input()), written)
        .withDevices(DeviceAddress.nodes(devices))
        .withMemory(bound());
  }

  private void notice(String what) {
    listener.tell(new TranscodeListener.Event.Noticed(clock.seconds(), what));
  }

  void cancel() {
    cancelled = true;
    LadderRun running = ladder;
    if (running != null) {
      running.cancel();
    }
  }

  private TranscodeResult tellFinished(TranscodeResult result) {
    listener.tell(new TranscodeListener.Event.Finished(clock.seconds(), result));
    return result;
  }

  private static void promise(TranscodePlan plan, Encoders encoders, JobStore store) {
    for (int rung = 0; rung < plan.rungs().size(); rung++) {
      JournalEntry.Invariant now = encoders.promise(rung);
      if (!now.equals(store.promises().get(now.rung()))) {
        store.promise(now);
      }
    }
  }

  /** How much memory the job may use. */
  private long bound() {
    return request.memoryBytes().orElse(options.memoryBytes());
  }

  private TranscodePlan plan(MediaInfo info) {
    try {
      return TranscodePlan.of(info, request);
    } catch (PlanException impossible) {
      throw new TranscodeException.BadRequest(String.valueOf(impossible.getMessage()));
    }
  }

  private Report.Probed probe(Supervisor supervisor) throws InterruptedException {
    try {
      return (Report.Probed)
          supervisor.persist(
              number -> new Command.ProbeSource(number, request.input().toAbsolutePath()),
              TO_PROBE);
    } catch (FailedException failed) {
      throw failed.failure().kind() == Failure.Kind.NO_ROOM
          ? TranscodeException.of(request, failed.failure())
          : TranscodeException.ofProbe(request.input(), failed.failure());
    } catch (TimeoutException hung) {
      throw new TranscodeException.Unreadable(
          "%s could not be read in %s".formatted(request.input(), TO_PROBE));
    }
  }

  @Override
  public Command.@Nullable Decode toDecode() {
    LadderRun running = ladder;
    return running == null ? null : running.toDecode();
  }

  @Override
  public void reported(Report report) {
    LadderRun running = ladder;
    if (running != null) {
      running.reported(report);
    }
  }

  @Override
  public void crashed(Set<UnitId> units, String reason) {
    LadderRun running = ladder;
    if (running == null) {
      notice(reason + "; started again");
    } else {
      running.crashed(units, reason);
    }
  }
}
