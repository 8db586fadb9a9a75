package dev.fairlead.media.local;

import dev.fairlead.device.Device;
import dev.fairlead.health.Health;
import dev.fairlead.media.choice.CardFrames;
import dev.fairlead.media.choice.CodecChoice;
import dev.fairlead.media.host.Seat;
import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.job.Remedy;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.job.TranscodeResult;
import dev.fairlead.media.ladder.LadderParts;
import dev.fairlead.media.ladder.Rehearsal;
import dev.fairlead.media.output.EarlierResult;
import dev.fairlead.media.output.PackageWriter;
import dev.fairlead.media.plan.Fingerprint;
import dev.fairlead.media.plan.PlanException;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.prepare.Admission;
import dev.fairlead.media.prepare.EncoderTrials;
import dev.fairlead.media.prepare.Encoders;
import dev.fairlead.media.prepare.RungLost;
import dev.fairlead.media.prepare.TrialRules;
import dev.fairlead.media.prepare.Unable;
import dev.fairlead.media.progress.GuardedListener;
import dev.fairlead.media.progress.JobContext;
import dev.fairlead.media.progress.JobStore;
import dev.fairlead.media.progress.JobTotals;
import dev.fairlead.media.progress.Parked;
import dev.fairlead.media.progress.Published;
import dev.fairlead.media.progress.SourceStamp;
import dev.fairlead.media.progress.WorkTimes;
import dev.fairlead.media.source.MediaInfo;
import dev.fairlead.media.store.CorruptChunk;
import dev.fairlead.media.store.FileTrouble;
import dev.fairlead.media.store.JournalEntry;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.supervise.Confinement;
import dev.fairlead.media.supervise.Supervisor;
import dev.fairlead.media.supervise.WorkerOwner;
import dev.fairlead.media.supervise.WorkerProcess;
import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Report;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One transcode from request to package: inspects, plans, tests the encoders, and hands over to the
 * {@link LadderRun}.
 */
final class TranscodeJob implements WorkerOwner {
  private static final int MOST_REPAIRS = 3;

  private final TranscodeRequest request;
  private final JobOptions options;
  private final Seat seat;
  private final Rehearsal rehearsal;
  private final GuardedListener listener;
  private final WorkTimes clock = new WorkTimes();
  private final JobTotals totals = new JobTotals();

  /** By rung, devices that could not encode it. */
  private final Unable unable;

  private final CodecChoice choice;
  private final TrialRules rules;

  private @Nullable SourceStamp source;
  private int repairs;

  /** Whether what is in the store is its own: a restart throws away what was there before. */
  private boolean begun;

  private volatile @Nullable LadderRun ladder;
  private volatile boolean cancelled;

  /** Why it is to be parked. */
  private volatile @Nullable String parking;

  /** The worker's supervisor and the job's thread, until the ladder runs. */
  private volatile @Nullable Supervisor preparing;

  private volatile @Nullable Thread thread;

  TranscodeJob(
      TranscodeRequest request,
      JobOptions options,
      EncoderTrials trials,
      Seat seat,
      TranscodeListener listener) {
    this.request = request;
    this.options = options;
    this.seat = seat;
    this.rehearsal = new Rehearsal(options.worker().chaos());
    this.unable = new Unable(options.fleet().proven());
    this.listener = new GuardedListener(listener);
    this.choice = CodecChoice.of(options.pool().devices());
    this.rules =
        new TrialRules(
            unable,
            new CardFrames(options.fleet().frames(), options.fleet().proven(), this::notice),
            trials,
            options.pool(),
            choice.codecs().version());
  }

  /**
   * Runs to the end.
   *
   * @throws Parked if it is to go on later, by another call of this
   */
  TranscodeResult run() throws InterruptedException {
    try {
      return runUntilCancelled();
    } catch (UncheckedIOException failure) {
      throw new TranscodeException.Storage(
          FileTrouble.words(failure), Remedy.SAME_REQUEST, failure);
    }
  }

  /** What goes wrong after a job was cancelled went wrong for that reason. */
  private TranscodeResult runUntilCancelled() throws InterruptedException {
    thread = Thread.currentThread();
    try {
      return runInStore();
    } catch (RuntimeException | InterruptedException failure) {
      if (cancelled) {
        throw new TranscodeException.Cancelled();
      }
      String reason = parking;
      if (reason != null) {
        throw new Parked(reason);
      }
      throw failure;
    } finally {
      thread = null;
      parking = null;
      boolean _ = Thread.interrupted(); // what was meant for this run
    }
  }

  private TranscodeResult runInStore() throws InterruptedException {
    if (!choice.notice().isEmpty()) {
      notice(choice.notice());
    }
    SourceStamp.requireReadable(request.input());
    try (JobStore store = JobStore.open(begun ? request.withRestart(false) : request)) {
      begun = true;
      TranscodePlan plan = null;
      RungLost before = null;
      // Each pass has lost a rung with a device at least, so they come to an end.
      for (int passes = options.pool().devices().size(); ; ) {
        Confinement confinement = JobConfinement.of(request, options, store, this::notice);
        try (Supervisor supervisor =
            new Supervisor(
                reports -> WorkerProcess.start(choice.codecs(), store.log(), confinement, reports),
                totals,
                this)) {
          preparing = supervisor;
          requireWanted();
          if (plan == null) {
            source = SourceStamp.of(request.input());
            Report.Inspected inspected = JobSource.inspect(request, supervisor);
            plan = plan(inspected.info());
            if (store.takeUp(fingerprint(plan, inspected.codecs()), names(plan), this::notice)) {
              return reportFinished(EarlierResult.result(plan, store));
            }
          }
          return reportFinished(encode(plan, store, supervisor));
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
    return options.result().sink().isPresent() ? List.of() : PackageWriter.names(plan);
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
          .named(String.valueOf(request.input().getFileName()))
          .with("source modified", Files.getLastModifiedTime(request.input()))
          .with("codecs", codecs)
          .with("delivery", options.result().sink().isPresent() ? "sink" : "files");
    } catch (IOException gone) {
      throw new TranscodeException.Unreadable(request.input() + ": cannot be read any more");
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
      List<Device> joined = Reserve.call(options, tested, none);
      notice(
          "%s. %s%s"
              .formatted(
                  none.getMessage(),
                  Reserve.instead(joined),
                  Encoders.alternatives(plan, tested, supervisor, rules)));
      admission = admission(plan);
      encoders = test(plan, admission, store, supervisor);
    }
    promise(plan, encoders, store);
    supervisor.suspect(store.suspects());
    try (LadderRun made =
        new LadderRun(
            new LadderParts(
                new JobContext(plan, store, source(), listener, clock),
                options,
                seat,
                rehearsal,
                supervisor,
                encoders,
                admission,
                totals))) {
      ladder = made;
      preparing = null;
      requireWanted();
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

  private Admission admission(TranscodePlan plan) throws InterruptedException {
    List<Device> encoding =
        usable().stream().filter(device -> Encoders.mayEncode(plan, device)).toList();
    return seat.share(plan, encoding).admit(plan, encoding, options);
  }

  private Encoders test(
      TranscodePlan plan, Admission admission, JobStore store, Supervisor supervisor)
      throws InterruptedException {
    List<Device> admitted = admission.isScarce() ? admission.devices() : usable();
    return Encoders.test(plan, admitted, supervisor, store.promises(), rules);
  }

  private void notice(String what) {
    listener.report(new TranscodeListener.Event.Noticed(clock.seconds(), what));
  }

  /** Ends the job at once, whatever it does. */
  void cancel() {
    cancelled = true;
    LadderRun running = ladder;
    Supervisor supervisor = preparing;
    Thread waiting = thread;
    if (running != null) {
      running.cancel();
      if (running.isPacking() && waiting != null) {
        waiting.interrupt();
      }
    } else if (supervisor != null && waiting != null) {
      supervisor.cancel();
      waiting.interrupt(); // it may wait for a device
    }
  }

  /** Parks it when what runs is committed; at once if nothing does. */
  void park(String reason, boolean withSound) {
    parking = reason;
    LadderRun running = ladder;
    Supervisor supervisor = preparing;
    Thread waiting = thread;
    if (running != null) {
      running.park(reason, withSound);
    } else if (supervisor != null && waiting != null) {
      supervisor.cancel();
      waiting.interrupt();
    }
  }

  /** It may use something else from now on; what does not run yet will ask. */
  void resize() {
    LadderRun running = ladder;
    if (running != null) {
      running.resize();
    }
  }

  private void requireWanted() {
    if (cancelled) {
      throw new TranscodeException.Cancelled();
    }
    String reason = parking;
    if (reason != null) {
      throw new Parked(reason);
    }
  }

  private TranscodeResult reportFinished(TranscodeResult result) {
    listener.report(new TranscodeListener.Event.Finished(clock.seconds(), result));
    return result;
  }

  private static void promise(TranscodePlan plan, Encoders encoders, JobStore store) {
    for (int rung = 0; rung < plan.rungs().size(); rung++) {
      JournalEntry.Promise now = encoders.journalled(rung);
      if (!now.equals(store.promises().get(now.rung()))) {
        store.promise(now);
      }
    }
  }

  private TranscodePlan plan(MediaInfo info) {
    try {
      return TranscodePlan.of(info, request);
    } catch (PlanException impossible) {
      throw new TranscodeException.BadRequest(String.valueOf(impossible.getMessage()));
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
    if (report instanceof Report.Within within) {
      seat.within(within.share());
    } else if (running != null) {
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
