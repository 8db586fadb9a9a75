package dev.fairlead.cli;

import dev.fairlead.media.job.HostEvent;
import dev.fairlead.media.job.HostException;
import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.job.JobStatus;
import dev.fairlead.media.job.Transcode;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.job.TranscodeResult;
import dev.fairlead.media.local.HostLimits;
import dev.fairlead.media.local.JobOrder;
import dev.fairlead.media.local.TranscodeHost;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.progress.SourceStamp;
import dev.fairlead.media.records.JobId;
import dev.fairlead.policy.Priority;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;

/** Several transcodes together, shown while they go on; Ctrl-C parks all of them. */
final class JobsRun {
  private final List<TranscodeRequest> requests;
  private final JobOptions options;
  private final HostLimits limits;
  private final Priority priority;

  JobsRun(
      List<TranscodeRequest> requests, JobOptions options, HostLimits limits, Priority priority) {
    this.requests = List.copyOf(requests);
    this.options = options;
    this.limits = limits;
    this.priority = priority;
  }

  /** A job that was taken, or why it was not. */
  private record Taken(
      JobOrder order, @Nullable Transcode transcode, @Nullable TranscodeException refused) {}

  /** Runs all to their ends; the exit code of the worst. */
  int run(JobsDisplay display) throws InterruptedException {
    long begun = System.nanoTime();
    List<JobsDisplay.End> ends = new ArrayList<>();
    int code;
    try (display;
        TranscodeHost host = TranscodeHost.open(options, limits);
        CtrlC _ = CtrlC.cancels(() -> Thread.startVirtualThread(host::close))) {
      List<Taken> taken = requests.stream().map(request -> submit(host, request, display)).toList();
      HostEvent.Subscription _ = host.subscribe(1, reasons(taken, begun));
      for (Taken each : taken) {
        ends.add(end(each, display, begun));
      }
      code = worst(ends.stream().map(JobsDisplay.End::code).toList());
      display.over(ends, code, seconds(begun));
    }
    return code;
  }

  /** Has displays say why a job does not go on. */
  private static HostEvent.Listener reasons(List<Taken> taken, long begun) {
    Map<JobId, TranscodeListener> displays =
        taken.stream()
            .collect(Collectors.toMap(each -> each.order().id(), each -> each.order().listener()));
    return new HostEvent.Listener() {
      @Override
      public void on(HostEvent event) {
        TranscodeListener display = displays.get(event.job());
        if (event.what() instanceof HostEvent.What.Changed changed
            && !changed.state().isOver()
            && !changed.reason().isEmpty()
            && display != null) {
          String what = "waits: " + changed.reason();
          display.on(new TranscodeListener.Event.Noticed(seconds(begun), what));
        }
      }

      @Override
      public void reset(List<JobStatus> jobs, long next) {}
    };
  }

  private Taken submit(TranscodeHost host, TranscodeRequest request, JobsDisplay display) {
    JobOrder plain = JobOrder.of(request, options).withPriority(priority);
    JobOrder order = plain.withListener(display.of(plain));
    try {
      SourceStamp.requireReadable(request.input());
      return new Taken(order, host.submit(order), null);
    } catch (TranscodeException refused) {
      return new Taken(order, null, refused);
    } catch (HostException.OutputTaken | HostException.Closed refused) {
      return new Taken(
          order, null, new TranscodeException.BadRequest(String.valueOf(refused.getMessage())));
    }
  }

  private static JobsDisplay.End end(Taken job, JobsDisplay display, long begun)
      throws InterruptedException {
    JobOrder order = job.order();
    try {
      if (job.transcode() == null) {
        throw job.refused() == null ? new TranscodeException.Cancelled() : job.refused();
      }
      TranscodeResult result = job.transcode().await();
      return new JobsDisplay.End(order, 0, result.status(), Optional.of(result));
    } catch (TranscodeException failure) {
      display.failed(order, seconds(begun), failure);
      boolean parked = failure instanceof TranscodeException.Cancelled;
      return new JobsDisplay.End(
          order,
          TranscodeFailures.exitCode(failure),
          parked ? "parked" : "failed",
          Optional.empty());
    } catch (RuntimeException mistake) {
      TranscodeException shown = new TranscodeException.GaveUp(String.valueOf(mistake), mistake);
      display.failed(order, seconds(begun), shown);
      return new JobsDisplay.End(order, ExitCode.SOFTWARE, "failed", Optional.empty());
    }
  }

  /** Ctrl-C before all; then an error of Fairlead's own, then the larger number. */
  static int worst(List<Integer> codes) {
    if (codes.contains(CtrlC.EXIT_CODE)) {
      return CtrlC.EXIT_CODE;
    }
    return codes.contains(ExitCode.SOFTWARE)
        ? ExitCode.SOFTWARE
        : codes.stream().mapToInt(Integer::intValue).max().orElse(0);
  }

  private static double seconds(long begun) {
    return (System.nanoTime() - begun) / 1e9;
  }
}
