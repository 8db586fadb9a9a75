package dev.fairlead.cli;

import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.job.TranscodeListener.Event;
import dev.fairlead.nativecode.WindowSize;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.Supplier;

/**
 * A screen that is drawn again and again in place: a bar for each rung, a row for each device. What
 * people should know of scrolls away above it. Thread-safe.
 */
final class LiveDisplay implements Display {
  private static final double SECONDS_BETWEEN = 0.1;

  private final InPlaceRows rows;
  private final LiveLanes lanes = new LiveLanes();
  private final RunProgress progress = new RunProgress();
  private double drawn = Double.NEGATIVE_INFINITY;
  private boolean closed;

  /**
   * A screen.
   *
   * @param sizes asked before each drawing
   */
  LiveDisplay(PrintWriter out, boolean colours, Supplier<WindowSize> sizes) {
    this.rows = new InPlaceRows(out, colours, sizes, this::rows);
  }

  @Override
  public synchronized void on(Event event) {
    if (closed) {
      return;
    }
    lanes.on("", event);
    switch (event) {
      case Event.Planned planned -> {
        progress.planned(planned.plan());
        rows.above(PlainDisplay.begin(planned));
        planned.plan().notes().forEach(rows::above);
      }
      case Event.Requeued again ->
          rows.above(
              "%s on %s: %s".formatted(again.unit(), again.device().label(), again.reason()));
      case Event.Noticed noticed -> rows.above(noticed.what());
      case Event.Progress now -> {
        progress.add(now);
        if (now.seconds() - drawn >= SECONDS_BETWEEN) {
          drawn = now.seconds();
          rows.draw();
        }
      }
      case Event.Finished finished -> {
        close();
        rows.print(Summary.of(finished.result(), finished.seconds()));
      }
      case Event.Assigned _,
          Event.Started _,
          Event.Committed _,
          Event.SegmentWritten _,
          Event.RungWritten _ -> {}
    }
  }

  private List<StyledText> rows(WindowSize window) {
    return progress.isKnown()
        ? new LiveScreen(
                progress.total(), "rungs", progress.rungs(), progress.sounds(), lanes.shown())
            .rows(window)
        : List.of();
  }

  @Override
  public void failed(double seconds, TranscodeException failure) {}

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      rows.draw();
    }
  }
}
