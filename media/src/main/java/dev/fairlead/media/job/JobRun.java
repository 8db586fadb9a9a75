package dev.fairlead.media.job;

import dev.fairlead.device.Device;
import dev.fairlead.media.plan.PlanException;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.probe.MediaInfo;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.worker.Command;
import dev.fairlead.media.worker.Failure;
import dev.fairlead.media.worker.Report;
import dev.fairlead.media.worker.WorkerProcess.FailedException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One transcode from request to package: probes, plans, tests the encoders, and hands over to the
 * {@link Ladder}.
 */
final class JobRun implements Supervisor.Owner {
  private static final Duration TO_PROBE = Duration.ofMinutes(2);

  private final TranscodeRequest request;
  private final JobOptions options;
  private final Herald herald;
  private final Clock clock = new Clock();
  private volatile @Nullable Ladder ladder;
  private volatile boolean cancelled;

  JobRun(TranscodeRequest request, JobOptions options, TranscodeListener listener) {
    this.request = request;
    this.options = options;
    this.herald = new Herald(listener);
  }

  TranscodeResult run() throws InterruptedException {
    List<Device> devices = options.pool().devices();
    try (JobStore store = new JobStore(request.output());
        Supervisor supervisor = new Supervisor(store.log(), this)) {
      TranscodePlan plan = plan(supervisor);
      Encoders encoders = Encoders.test(plan, devices, supervisor.worker());
      supervisor.suspect(store.suspects());
      try (Ladder made =
          new Ladder(new Ladder.Parts(plan, options, store, supervisor, encoders, herald, clock))) {
        ladder = made;
        if (cancelled) {
          throw new TranscodeException.Cancelled();
        }
        TranscodeResult result = made.run();
        herald.tell(new TranscodeListener.Event.Finished(clock.seconds(), result));
        return result;
      }
    }
  }

  void cancel() {
    cancelled = true;
    Ladder running = ladder;
    if (running != null) {
      running.cancel();
    }
  }

  private TranscodePlan plan(Supervisor supervisor) throws InterruptedException {
    try {
      Report.Probed probed =
          (Report.Probed)
              supervisor
                  .worker()
                  .ask(
                      number -> new Command.ProbeSource(number, request.input().toAbsolutePath()),
                      TO_PROBE);
      MediaInfo info = probed.info();
      return TranscodePlan.of(info, request);
    } catch (FailedException failed) {
      throw failure(failed.failure());
    } catch (TimeoutException hung) {
      throw new TranscodeException.Unreadable(
          "%s could not be read in %s".formatted(request.input(), TO_PROBE));
    } catch (PlanException impossible) {
      throw new TranscodeException.BadRequest(String.valueOf(impossible.getMessage()));
    }
  }

  /** What a failure that ends the job means to whoever asked for it. */
  static TranscodeException failure(Failure failure) {
    return switch (failure.kind()) {
      case UNREADABLE -> new TranscodeException.Unreadable(failure.reason());
      case NO_SPACE, IO -> new TranscodeException.Storage(failure.reason());
      case CANCELLED -> new TranscodeException.Cancelled();
      case WORK, DEVICE, OUT_OF_MEMORY, LOST, CRASHED ->
          new TranscodeException.GaveUp(failure.reason());
    };
  }

  @Override
  public Command.@Nullable Decode toDecode() {
    Ladder running = ladder;
    return running == null ? null : running.toDecode();
  }

  @Override
  public void reported(Report report) {
    Ladder running = ladder;
    if (running != null) {
      running.reported(report);
    }
  }

  @Override
  public void crashed(Set<UnitId> units, String reason) {
    Ladder running = ladder;
    if (running != null) {
      running.crashed(units, reason);
    }
  }
}
