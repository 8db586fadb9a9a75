package dev.fairlead.cli;

import dev.fairlead.device.Device;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.job.TranscodeListener.Event;
import dev.fairlead.media.job.TranscodeListener.RungProgress;
import dev.fairlead.media.job.TranscodeListener.SoundProgress;
import dev.fairlead.media.plan.Rung;
import dev.fairlead.media.report.Quantities;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A line for each event that matters: on standard error, and the summary on standard output. */
final class PlainDisplay implements Display {
  private static final double SECONDS_BETWEEN = 5;

  /** Controls, those of eight bits too, and what turns the direction of a line around. */
  private static final Pattern CONTROLS =
      Pattern.compile("[\\p{Cc}\\u2028-\\u202e\\u2066-\\u2069]");

  private final PrintWriter out;
  private final PrintWriter err;
  private double last;

  PlainDisplay(PrintWriter out, PrintWriter err) {
    this.out = out;
    this.err = err;
  }

  @Override
  public void on(Event event) {
    switch (event) {
      case Event.Planned planned -> {
        line(0, begin(planned));
        planned.plan().notes().forEach(note -> line(0, note));
      }
      case Event.Requeued again ->
          line(
              again.seconds(),
              "%s failed on %s and is encoded again: %s"
                  .formatted(again.unit(), again.device().label(), again.reason()));
      case Event.RungWritten rung ->
          line(
              rung.seconds(),
              "%s is complete: %s, %s"
                  .formatted(rung.rung(), rung.manifest(), Quantities.size(rung.bytes())));
      case Event.Progress progress -> progress(progress);
      case Event.Noticed noticed -> line(noticed.seconds(), noticed.what());
      case Event.Finished finished -> {
        out.print(Summary.of(finished.result(), finished.seconds()));
        out.flush();
      }
      case Event.Assigned _, Event.Started _, Event.Committed _, Event.SegmentWritten _ -> {}
    }
  }

  static String begin(Event.Planned planned) {
    return planned.plan().request().input() + " " + becomes(planned);
  }

  /** What becomes of an input. */
  static String becomes(Event.Planned planned) {
    return "becomes %s on %s%s"
        .formatted(
            planned.plan().rungs().stream().map(Rung::name).collect(Collectors.joining(", ")),
            planned.devices().stream().map(Device::label).collect(Collectors.joining(", ")),
            planned.resumed() == 0
                ? ""
                : "; goes on with %s of an earlier run"
                    .formatted(Quantities.count(planned.resumed(), "chunk")));
  }

  private void progress(Event.Progress progress) {
    if (progress.seconds() - last >= SECONDS_BETWEEN) {
      last = progress.seconds();
      line(
          progress.seconds(),
          Stream.concat(
                  progress.rungs().stream().map(PlainDisplay::rung),
                  progress.sounds().stream().map(PlainDisplay::sound))
              .collect(Collectors.joining(", ")));
    }
  }

  private static String rung(RungProgress rung) {
    return String.format(
        Locale.ROOT,
        "%s %.0f %% at %.1f fps",
        rung.rung(),
        100 * rung.share(),
        rung.framesPerSecond());
  }

  private static String sound(SoundProgress sound) {
    return String.format(Locale.ROOT, "%s %.0f %%", sound.track(), 100 * sound.share());
  }

  /** Without what a terminal might obey. */
  static String withoutControls(String text) {
    return CONTROLS.matcher(text).replaceAll(" ");
  }

  private void line(double seconds, String text) {
    err.println(String.format(Locale.ROOT, "%8.2f s  %s", seconds, withoutControls(text)));
    err.flush();
  }

  @Override
  public void failed(double seconds, TranscodeException failure) {}

  @Override
  public void close() {}
}
