package dev.fairlead.cli;

import dev.fairlead.device.Device;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.local.JobOrder;
import dev.fairlead.media.records.JobId;
import dev.fairlead.nativecode.WindowSize;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A screen that is drawn again and again in place: a bar for each job, a row for each device. What
 * people should know of scrolls away above it. Thread-safe.
 */
final class JobsScreen implements JobsDisplay {
  private static final long NANOS_BETWEEN = 100_000_000;
  private static final String ESCAPE = "\033[";

  private final PrintWriter out;
  private final boolean colours;
  private final Supplier<WindowSize> sizes;
  private final Map<JobId, Row> jobs = new LinkedHashMap<>();
  private final Map<String, Lane> lanes = new LinkedHashMap<>();
  private long drawn = System.nanoTime() - NANOS_BETWEEN;
  private int lines;
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
      double share = end.equals("done") ? 1 : its.share();
      String left = end.isEmpty() ? (progress.isKnown() ? its.left() : "waits") : end;
      return new LiveScreen.Bar(name, share, end.isEmpty() ? its.speed() : "", its.rate(), left);
    }
  }

  /** What a device does now. */
  private static final class Lane {
    private final Set<String> doing = new LinkedHashSet<>();
    private int chunks;
    private int failures;
  }

  JobsScreen(PrintWriter out, boolean colours, Supplier<WindowSize> sizes) {
    this.out = out;
    this.colours = colours;
    this.sizes = sizes;
  }

  @Override
  public synchronized TranscodeListener of(JobOrder order) {
    Row row = new Row(JobsLines.name(order));
    jobs.put(order.id(), row);
    return event -> on(row, event);
  }

  private synchronized void on(Row row, TranscodeListener.Event event) {
    if (closed) {
      return;
    }
    switch (event) {
      case TranscodeListener.Event.Planned planned -> {
        row.progress.planned(planned.plan());
        planned.devices().forEach(this::lane);
      }
      case TranscodeListener.Event.Started started ->
          lane(started.device()).doing.add(row.name + " " + started.unit());
      case TranscodeListener.Event.Committed committed -> {
        lanes.values().forEach(lane -> lane.doing.remove(row.name + " " + committed.unit()));
        lane(committed.device()).chunks++;
      }
      case TranscodeListener.Event.Requeued again -> {
        lane(again.device()).doing.remove(row.name + " " + again.unit());
        lane(again.device()).failures++;
      }
      case TranscodeListener.Event.Progress now -> row.progress.add(now);
      case TranscodeListener.Event.Finished _ -> row.end = "done";
      case TranscodeListener.Event.Noticed _,
          TranscodeListener.Event.SegmentWritten _,
          TranscodeListener.Event.RungWritten _ -> {}
    }
    String text = JobsLines.text(event);
    if (!text.isEmpty()) {
      above(row.name + ": " + text);
    } else if (System.nanoTime() - drawn >= NANOS_BETWEEN) {
      draw();
    }
  }

  private Lane lane(Device device) {
    return lanes.computeIfAbsent(device.label(), any -> new Lane());
  }

  @Override
  public synchronized void failed(JobOrder order, double seconds, TranscodeException failure) {
    Row row = jobs.get(order.id());
    if (row != null) {
      row.end = failure instanceof TranscodeException.Cancelled ? "stopped" : "failed";
    }
    above("fairlead: %s: %s".formatted(JobsLines.name(order), TranscodeFailures.message(failure)));
  }

  private void above(String text) {
    erase();
    out.println(PlainDisplay.withoutControls(text));
    draw();
  }

  private void erase() {
    if (lines > 0) {
      out.print("\r" + ESCAPE + lines + "A" + ESCAPE + "J");
      lines = 0;
    }
  }

  private void draw() {
    erase();
    drawn = System.nanoTime();
    List<StyledText> rows = screen().rows(sizes.get());
    rows.forEach(row -> out.println(row.print(colours)));
    lines = rows.size();
    out.flush();
  }

  private LiveScreen screen() {
    List<LiveScreen.Bar> bars = jobs.values().stream().map(Row::bar).toList();
    double share = bars.stream().mapToDouble(LiveScreen.Bar::share).average().orElse(0);
    List<LiveScreen.Lane> shown = new ArrayList<>();
    lanes.forEach((label, lane) ->
        shown.add(
            new LiveScreen.Lane(label, List.copyOf(lane.doing), 0, lane.chunks, lane.failures)));
    return new LiveScreen(new LiveScreen.Bar("total", share, "", "", ""), bars, List.of(), shown);
  }

  @Override
  public synchronized void over(List<End> ends, int code, double seconds) {
    close();
    out.println();
    out.print(JobsLines.table(ends, seconds));
    out.flush();
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      draw();
      closed = true;
    }
  }
}
