package dev.fairlead.cli;

import dev.fairlead.media.job.Transcode;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.local.JobOrder;
import dev.fairlead.media.local.LocalTranscodes;
import dev.fairlead.media.progress.SourceStamp;
import dev.fairlead.media.report.JobRecording;
import dev.fairlead.media.report.Recording;
import java.io.PrintWriter;

/** One transcode, shown while it goes on, that Ctrl-C cancels. */
final class TranscodeRun {
  private final JobOrder order;
  private final RunFiles files;

  TranscodeRun(JobOrder order, RunFiles files) {
    this.order = order;
    this.files = files;
  }

  /** Runs to the end; the exit code, which is 0 or that of a cancelled run. */
  int run(Display shown, PrintWriter err) throws InterruptedException {
    long begun = System.nanoTime();
    try (Display display = shown) {
      try {
        SourceStamp.requireReadable(order.request().input());
        return runReadable(display, err, begun);
      } catch (TranscodeException failure) {
        display.failed(seconds(begun), failure);
        throw failure;
      }
    }
  }

  private int runReadable(Display display, PrintWriter err, long begun)
      throws InterruptedException {
    Recording recording = new Recording();
    JobRecording recorded = recording.job(order, 0);
    Transcode transcode =
        new LocalTranscodes(order.options())
            .submit(
                order.withListener(event -> {
                  recorded.on(event);
                  display.on(event);
                }));
    try (CtrlC _ = CtrlC.cancels(transcode::cancel)) {
      try {
        transcode.await();
        return 0;
      } catch (TranscodeException.Cancelled cancelled) {
        recorded.failed("cancelled", seconds(begun), TranscodeFailures.message(cancelled));
        display.failed(seconds(begun), cancelled);
        display.close();
        err.println("fairlead: " + TranscodeFailures.message(cancelled));
        err.flush();
        return TranscodeFailures.exitCode(cancelled);
      } catch (TranscodeException failure) {
        recorded.failed("failed", seconds(begun), TranscodeFailures.message(failure));
        throw failure;
      } finally {
        files.write(recording);
      }
    }
  }

  private static double seconds(long begun) {
    return (System.nanoTime() - begun) / 1e9;
  }
}
