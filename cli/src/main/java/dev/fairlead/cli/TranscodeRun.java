package dev.fairlead.cli;

import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.job.Transcode;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.local.LocalTranscodes;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.progress.SourceStamp;
import java.io.PrintWriter;
import java.util.function.Supplier;

/** One transcode, shown while it goes on, that Ctrl-C cancels. */
final class TranscodeRun {
  private final TranscodeRequest request;
  private final JobOptions options;
  private final RunFiles files;

  TranscodeRun(TranscodeRequest request, JobOptions options, RunFiles files) {
    this.request = request;
    this.options = options;
    this.files = files;
  }

  /** Runs to the end; the exit code, which is 0 or that of a cancelled run. */
  int run(Supplier<Display> displays, PrintWriter err) throws InterruptedException {
    long begun = System.nanoTime();
    try (Display display = displays.get()) {
      try {
        SourceStamp.requireReadable(request.input());
        return run(display, err, begun);
      } catch (TranscodeException failure) {
        display.failed(seconds(begun), failure);
        throw failure;
      }
    }
  }

  private int run(Display display, PrintWriter err, long begun) throws InterruptedException {
    Recording recording = new Recording();
    Transcode transcode =
        new LocalTranscodes(options)
            .submit(
                request,
                event -> {
                  recording.on(event);
                  display.on(event);
                });
    try (CtrlC _ = CtrlC.cancels(transcode::cancel)) {
      try {
        transcode.await();
        return 0;
      } catch (TranscodeException.Cancelled cancelled) {
        display.failed(seconds(begun), cancelled);
        display.close();
        err.println("fairlead: " + TranscodeFailures.message(cancelled));
        err.flush();
        return TranscodeFailures.exitCode(cancelled);
      } finally {
        files.write(recording);
      }
    }
  }

  private static double seconds(long begun) {
    return (System.nanoTime() - begun) / 1e9;
  }
}
