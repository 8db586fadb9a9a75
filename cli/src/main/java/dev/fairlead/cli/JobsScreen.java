package dev.fairlead.cli;

import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.job.TranscodeListener.Event;
import dev.fairlead.media.local.JobOrder;
import dev.fairlead.media.records.JobId;
import dev.fairlead.nativecode.WindowSize;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A screen that is drawn again and again in place: a bar for each job, a row for each device. What
 * people should know of scrolls away above it. Thread-safe.
 */
final class JobsScreen implements JobsDisplay {
  private static final long NANOS_BETWEEN = 100_000_000;

  private final InPlaceRows rows;
  private final Map<JobId, Row> jobs = new LinkedHashMap<>();
  private final LiveLanes lanes = new LiveLanes();
  private long drawn = System.nanoTime() - NANOS_BETWEEN;
  private boolean closed;

  /** How far a job is. */
  private static final class Row {
    private final String name;
    private final RunProgress progress = new RunProgress();
    private String end = "";

    Row(String name) {
      this.name = name;
    }

    LiveScreen.Bar bar() {
      LiveScreen.Bar its = progress.total();
      return end.isEmpty()
          ? its.named(name, progress.isKnown() ? its.left() : "waits")
          : new LiveScreen.Bar(name, isWell() ? 1 : its.share(), "", its.rate(), end);
    }

    private boolean isWell() {
      return end.equals("done") || end.equals("unchanged");
    }
  }

  /**
   * A screen.
   *
   * @param sizes asked before each drawing
   */
  JobsScreen(PrintWriter out, boolean colours, Supplier<WindowSize> sizes) {
    this.rows = new InPlaceRows(out, colours, sizes, this::rows);
  }

  @Override
  public synchronized TranscodeListener of(JobOrder order) {
    Row row = new Row(JobsLines.name(order));
    jobs.put(order.id(), row);
    rows.draw();
    return event -> on(row, event);
  }

  private synchronized void on(Row row, Event event) {
    if (closed) {
      return;
    }
    lanes.on(row.name, event);
    if (event instanceof Event.Planned planned) {
      row.progress.planned(planned.plan());
    } else if (event instanceof Event.Progress now) {
      row.progress.add(now);
    } else if (event instanceof Event.Finished finished) {
      row.end = finished.result().status();
    }
    String text = JobsLines.text(event);
    if (!text.isEmpty()) {
      rows.above(row.name + ": " + text);
    } else if (System.nanoTime() - drawn >= NANOS_BETWEEN) {
      drawn = System.nanoTime();
      rows.draw();
    }
  }

  @Override
  public synchronized void failed(End end, double seconds, TranscodeException failure) {
    Row row = jobs.get(end.order().id());
    if (row != null) {
      row.end = end.state();
      lanes.left(row.name);
    }
    String text = JobsLines.failure(end, failure);
    if (text.isEmpty()) {
      rows.draw();
    } else {
      rows.above(text);
    }
  }

  private List<StyledText> rows(WindowSize window) {
    List<LiveScreen.Bar> bars = jobs.values().stream().map(Row::bar).toList();
    double share = bars.stream().mapToDouble(LiveScreen.Bar::share).average().orElse(0);
    LiveScreen.Bar total = new LiveScreen.Bar("total", share, "", "", "");
    return new LiveScreen(total, "jobs", bars, List.of(), lanes.shown()).rows(window);
  }

  @Override
  public synchronized void over(List<End> ends, int code, double seconds) {
    close();
    rows.print(JobsLines.table(ends, seconds));
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      rows.draw();
    }
  }
}
