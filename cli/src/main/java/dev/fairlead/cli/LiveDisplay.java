package dev.fairlead.cli;

import dev.fairlead.device.Device;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.job.TranscodeListener.Event;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.nativecode.WindowSize;
import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A screen that is drawn again and again in place: a bar for each rung, a row for each device. What
 * people should know of scrolls away above it. Thread-safe.
 *
 * <p>When the window has changed its size, terminals differ in what became of the rows that were
 * drawn: some wrapped them, some moved them out of sight and bring them back later. So the window
 * is then cleared, and the last notices are printed again.
 */
final class LiveDisplay implements Display {
  private static final double SECONDS_BETWEEN = 0.1;
  private static final int KEPT_NOTICES = 100;
  private static final String ESCAPE = "\033[";

  private final PrintWriter out;
  private final boolean colours;
  private final Supplier<WindowSize> sizes;
  private final Map<String, LaneState> lanes = new LinkedHashMap<>();
  private final Set<UnitId> done = new HashSet<>();
  private final Deque<String> notices = new ArrayDeque<>();
  private final RunProgress progress = new RunProgress();
  private WindowSize window;
  private double drawn = Double.NEGATIVE_INFINITY;
  private int lines;
  private boolean closed;

  /** What a device does now. */
  private static final class LaneState {
    private final Map<UnitId, Double> doing = new LinkedHashMap<>();
    private int chunks;
    private int failures;

    LiveScreen.Lane shown(String label) {
      return new LiveScreen.Lane(
          label,
          doing.keySet().stream().map(UnitId::toString).toList(),
          doing.values().stream().mapToDouble(Double::doubleValue).min().orElse(0),
          chunks,
          failures);
    }
  }

  /**
   * A screen.
   *
   * @param sizes asked before each drawing
   */
  LiveDisplay(PrintWriter out, boolean colours, Supplier<WindowSize> sizes) {
    this.out = out;
    this.colours = colours;
    this.sizes = sizes;
    this.window = sizes.get();
  }

  @Override
  public synchronized void on(Event event) {
    if (closed) {
      return;
    }
    switch (event) {
      case Event.Planned planned -> {
        progress.planned(planned.plan());
        planned.devices().forEach(this::lane);
        above(PlainDisplay.begin(planned));
        planned.plan().notes().forEach(this::above);
      }
      case Event.Started started -> {
        if (!done.contains(started.unit())) { // a start can be heard of after its end
          lane(started.device()).doing.put(started.unit(), started.seconds());
        }
      }
      case Event.Committed committed -> {
        done.add(committed.unit());
        lanes.values().forEach(lane -> lane.doing.remove(committed.unit()));
        lane(committed.device()).chunks++;
      }
      case Event.Requeued again -> {
        lane(again.device()).doing.remove(again.unit());
        lane(again.device()).failures++;
        above("%s on %s: %s".formatted(again.unit(), again.device().label(), again.reason()));
      }
      case Event.Noticed noticed -> above(noticed.what());
      case Event.Progress now -> {
        progress.add(now);
        if (now.seconds() - drawn >= SECONDS_BETWEEN) {
          drawn = now.seconds();
          draw();
        }
      }
      case Event.Finished finished -> {
        close();
        out.println();
        print(Summary.of(finished.result(), finished.seconds()));
        out.flush();
      }
      case Event.SegmentWritten _, Event.RungWritten _ -> {}
    }
  }

  private LaneState lane(Device device) {
    return lanes.computeIfAbsent(device.label(), any -> new LaneState());
  }

  private void above(String text) {
    String notice = PlainDisplay.withoutControls(text);
    if (notices.size() == KEPT_NOTICES) {
      notices.removeFirst();
    }
    notices.addLast(notice);
    if (isResized()) {
      startOver();
    } else {
      erase();
      wrapped(notice).forEach(out::println);
    }
    draw();
  }

  /** No line takes the last column, as in the rows below. */
  private List<String> wrapped(String sentence) {
    return StyledText.wrapped(sentence, Math.max(1, window.columns() - 1));
  }

  private void print(String summary) {
    for (String line : summary.lines().toList()) {
      boolean ofTable = line.contains("  ");
      (ofTable ? List.of(line) : wrapped(line)).forEach(out::println);
    }
  }

  private boolean isResized() {
    WindowSize before = window;
    window = sizes.get();
    return !window.equals(before);
  }

  /** Clears the window, and prints the notices again that fit above the rows. */
  private void startOver() {
    lines = 0;
    out.print(ESCAPE + "H" + ESCAPE + "J");
    int room = window.rows() - 1 - screen().rows(window).size();
    Deque<String> fitting = new ArrayDeque<>();
    for (String notice : (Iterable<String>) notices::descendingIterator) {
      List<String> rows = wrapped(notice);
      room -= rows.size();
      if (room < 0) {
        break;
      }
      rows.reversed().forEach(fitting::addFirst);
    }
    fitting.forEach(out::println);
  }

  private void erase() {
    if (lines > 0) {
      out.print("\r" + ESCAPE + lines + "A" + ESCAPE + "J");
      lines = 0;
    }
  }

  private void draw() {
    if (isResized()) {
      startOver();
    } else {
      erase();
    }
    if (progress.isKnown()) {
      List<StyledText> rows = screen().rows(window);
      rows.forEach(row -> out.println(row.print(colours)));
      lines = rows.size();
    }
    out.flush();
  }

  private LiveScreen screen() {
    List<LiveScreen.Lane> shown =
        lanes.entrySet().stream().map(each -> each.getValue().shown(each.getKey())).toList();
    return new LiveScreen(progress.total(), progress.rungs(), progress.sounds(), shown);
  }

  @Override
  public void failed(double seconds, TranscodeException failure) {}

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      draw();
    }
  }
}
