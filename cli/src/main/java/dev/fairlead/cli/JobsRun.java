package dev.fairlead.cli;

import dev.fairlead.media.job.HostEvent;
import dev.fairlead.media.job.HostException;
import dev.fairlead.media.job.JobStatus;
import dev.fairlead.media.job.Transcode;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.job.TranscodeResult;
import dev.fairlead.media.local.HostLimits;
import dev.fairlead.media.local.JobOrder;
import dev.fairlead.media.local.TranscodeHost;
import dev.fairlead.media.progress.SourceStamp;
import dev.fairlead.media.records.JobId;
import dev.fairlead.media.report.JobRecording;
import dev.fairlead.media.report.Recording;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;

/** Several transcodes together, shown while they go on; Ctrl-C parks all of them. */
final class JobsRun {
  private final List<JobOrder> orders;
  private final HostLimits limits;
  private final RunFiles files;
  private final Recording recording = new Recording();
  private final long begun = System.nanoTime();
  private volatile boolean parking;

  /**
   * A run of jobs.
   *
   * @param orders whose options are the same
   */
  JobsRun(List<JobOrder> orders, HostLimits limits, RunFiles files) {
    this.orders = List.copyOf(orders);
    this.limits = limits;
    this.files = files;
  }

  /** A job that was taken, or why it was not. */
  private record Taken(
      JobOrder order,
      JobRecording recorded,
      @Nullable Transcode transcode,
      @Nullable TranscodeException refused) {}

  /** Runs all to their ends; the exit code of the worst. */
  int run(JobsDisplay display) throws InterruptedException {
    int code;
    try (display;
        ExecutorService waiting = Executors.newVirtualThreadPerTaskExecutor();
        TranscodeHost host = TranscodeHost.open(orders.getFirst().options(), limits);
        CtrlC _ = CtrlC.cancels(() -> park(host))) {
      List<Taken> taken = orders.stream().map(order -> submit(host, order, display)).toList();
      HostEvent.Subscription _ = host.subscribe(1, reasons(taken));
      // Each end is told when it comes, whichever is the first.
      List<JobsDisplay.End> ends =
          waiting
              .invokeAll(
                  taken.stream()
                      .<Callable<JobsDisplay.End>>map(each -> () -> end(each, display))
                      .toList())
              .stream()
              .map(Future::resultNow)
              .toList();
      code = worst(ends.stream().map(JobsDisplay.End::code).toList());
      display.over(ends, code, seconds());
      files.write(recording);
    }
    return code;
  }

  private void park(TranscodeHost host) {
    parking = true;
    Thread.startVirtualThread(host::close);
  }

  /** Has displays say why a job does not go on. */
  private HostEvent.Listener reasons(List<Taken> taken) {
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
            && !parking
            && display != null) {
          String what = "waits: " + changed.reason();
          display.on(new TranscodeListener.Event.Noticed(seconds(), what));
        }
      }

      @Override
      public void reset(List<JobStatus> jobs, long next) {}
    };
  }

  private Taken submit(TranscodeHost host, JobOrder plain, JobsDisplay display) {
    JobRecording recorded = recording.job(plain, seconds());
    TranscodeListener shown = display.of(plain);
    JobOrder order =
        plain.withListener(event -> {
          recorded.on(event);
          shown.on(event);
        });
    try {
      SourceStamp.requireReadable(order.request().input());
      return new Taken(order, recorded, host.submit(order), null);
    } catch (TranscodeException refused) {
      return new Taken(order, recorded, null, refused);
    } catch (HostException.OutputTaken | HostException.Closed refused) {
      String why = String.valueOf(refused.getMessage());
      return new Taken(order, recorded, null, new TranscodeException.BadRequest(why));
    }
  }

  private JobsDisplay.End end(Taken job, JobsDisplay display) throws InterruptedException {
    try {
      if (job.transcode() == null) {
        throw job.refused() == null ? new TranscodeException.Cancelled() : job.refused();
      }
      TranscodeResult result = job.transcode().await();
      return new JobsDisplay.End(job.order(), 0, result.status(), Optional.of(result));
    } catch (TranscodeException failure) {
      return failed(job, display, failure, TranscodeFailures.exitCode(failure));
    } catch (RuntimeException mistake) {
      TranscodeException shown = new TranscodeException.GaveUp(String.valueOf(mistake), mistake);
      return failed(job, display, shown, ExitCode.SOFTWARE);
    }
  }

  private JobsDisplay.End failed(
      Taken job, JobsDisplay display, TranscodeException failure, int code) {
    JobsDisplay.End end = JobsDisplay.End.failed(job.order(), code, failure);
    job.recorded().failed(end.state(), seconds(), TranscodeFailures.message(failure));
    display.failed(end, seconds(), failure);
    return end;
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

  private double seconds() {
    return (System.nanoTime() - begun) / 1e9;
  }
}
