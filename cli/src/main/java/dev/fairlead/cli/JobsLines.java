package dev.fairlead.cli;

import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.local.JobOrder;
import dev.fairlead.media.report.Quantities;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** A line for each event of a job that matters, with its input's name; a table at the end. */
final class JobsLines implements JobsDisplay {
  private final PrintWriter out;
  private final PrintWriter err;

  JobsLines(PrintWriter out, PrintWriter err) {
    this.out = out;
    this.err = err;
  }

  static String name(JobOrder order) {
    return String.valueOf(order.request().input().getFileName());
  }

  /** What people should know of an event; empty if nothing. */
  static String text(TranscodeListener.Event event) {
    return switch (event) {
      case TranscodeListener.Event.Planned planned -> PlainDisplay.becomes(planned);
      case TranscodeListener.Event.Requeued again ->
          "%s failed on %s and is encoded again: %s"
              .formatted(again.unit(), again.device().label(), again.reason());
      case TranscodeListener.Event.Noticed noticed -> noticed.what();
      case TranscodeListener.Event.Finished finished ->
          "done in " + Quantities.clock(finished.seconds());
      case TranscodeListener.Event.Assigned _,
          TranscodeListener.Event.Started _,
          TranscodeListener.Event.Committed _,
          TranscodeListener.Event.SegmentWritten _,
          TranscodeListener.Event.RungWritten _,
          TranscodeListener.Event.Progress _ ->
          "";
    };
  }

  /** Why a job came to no good end; empty if it goes on with the same command. */
  static String failure(End end, TranscodeException failure) {
    return end.isParked()
        ? ""
        : "fairlead: %s: %s".formatted(name(end.order()), TranscodeFailures.message(failure));
  }

  @Override
  public TranscodeListener of(JobOrder order) {
    return event -> {
      String text = text(event);
      line(text.isEmpty() ? "" : name(order) + ": " + text);
    };
  }

  @Override
  public void failed(End end, double seconds, TranscodeException failure) {
    line(failure(end, failure));
  }

  private synchronized void line(String text) {
    if (!text.isEmpty()) {
      err.println(PlainDisplay.withoutControls(text));
      err.flush();
    }
  }

  @Override
  public void over(List<End> ends, int code, double seconds) {
    out.print(table(ends, seconds));
    out.flush();
  }

  static String table(List<End> ends, double seconds) {
    Table table = new Table("<<>>>", "INPUT", "STATE", "RUNGS", "FRAMES", "BYTES");
    for (End end : ends) {
      table.row(
          PlainDisplay.withoutControls(name(end.order())),
          end.state(),
          end.result().map(its -> String.valueOf(its.rungs().size())).orElse(""),
          end.result()
              .map(its ->
                  String.valueOf(its.rungs().stream().mapToLong(rung -> rung.frames()).sum()))
              .orElse(""),
          end.result()
              .map(its ->
                  Quantities.size(its.rungs().stream().mapToLong(rung -> rung.bytes()).sum()))
              .orElse(""));
    }
    long done = ends.stream().filter(end -> end.code() == 0).count();
    boolean parked = ends.stream().anyMatch(End::isParked);
    return table
        + String.format(
            Locale.ROOT,
            "%n%d of %d done in %s; look in %s%n%s",
            done,
            ends.size(),
            Quantities.clock(seconds),
            ends.getFirst().order().request().output().getParent(),
            parked ? "The same command goes on with what is parked.%n".formatted() : "");
  }

  @Override
  public void close() {}
}
