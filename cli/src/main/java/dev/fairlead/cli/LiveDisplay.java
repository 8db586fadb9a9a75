package dev.fairlead.cli;

import dev.fairlead.device.Device;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.job.TranscodeListener.Event;
import dev.fairlead.media.job.TranscodeListener.RungProgress;
import dev.fairlead.media.job.TranscodeListener.SoundProgress;
import dev.fairlead.media.store.UnitId;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * A screen that is drawn again and again in place: a bar for each rung, a lane for each device.
 * What people should know of scrolls away above it. Thread-safe.
 */
final class LiveDisplay implements Display {
  private static final int BAR = 24;
  private static final int COLUMNS = 79;
  private static final double SECONDS_BETWEEN = 0.1;
  private static final String ESCAPE = "\033[";
  private static final String BOLD = "1";
  private static final String GREEN = "32";
  private static final String RED = "31";
  private static final String DIM = "2";

  private final PrintWriter out;
  private final boolean colours;
  private final Map<String, Lane> lanes = new LinkedHashMap<>();
  private final Set<UnitId> done = new HashSet<>();
  private List<RungProgress> rungs = List.of();
  private List<SoundProgress> sounds = List.of();
  private double seconds;
  private double drawn = Double.NEGATIVE_INFINITY;
  private int lines;
  private boolean closed;

  /** What a device does now. */
  private static final class Lane {
    private final List<UnitId> doing = new ArrayList<>();
    private int chunks;
    private int failures;
  }

  LiveDisplay(PrintWriter out, boolean colours) {
    this.out = out;
    this.colours = colours;
  }

  @Override
  public synchronized void on(Event event) {
    if (closed) {
      return;
    }
    switch (event) {
      case Event.Planned planned -> {
        planned.devices().forEach(this::lane);
        above(PlainDisplay.withoutControls(PlainDisplay.begin(planned)));
        planned.plan().notes().forEach(note -> above(PlainDisplay.withoutControls(note)));
      }
      case Event.Started started -> {
        if (!done.contains(started.unit())) { // a start can be heard of after its end
          lane(started.device()).doing.add(started.unit());
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
        above(
            paint(RED, "%s on %s: ".formatted(again.unit(), again.device().label()))
                + PlainDisplay.withoutControls(again.reason()));
      }
      case Event.Noticed noticed -> above(PlainDisplay.withoutControls(noticed.what()));
      case Event.Progress progress -> {
        rungs = progress.rungs();
        sounds = progress.sounds();
        seconds = progress.seconds();
        if (seconds - drawn >= SECONDS_BETWEEN) {
          drawn = seconds;
          draw();
        }
      }
      case Event.Finished finished -> {
        seconds = finished.seconds();
        close();
        out.println();
        out.print(Summary.of(finished.result(), finished.seconds()));
        out.flush();
      }
      case Event.SegmentWritten _, Event.RungWritten _ -> {}
    }
  }

  private Lane lane(Device device) {
    return lanes.computeIfAbsent(device.label(), any -> new Lane());
  }

  private void above(String text) {
    erase();
    out.println(text);
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
    for (RungProgress rung : rungs) {
      line(
          String.format(
              Locale.ROOT,
              "%s  %6.1f fps  %s",
              bar(rung.rung(), rung.share()),
              rung.framesPerSecond(),
              left(rung.share())));
    }
    for (SoundProgress sound : sounds) {
      line("%s              %s".formatted(bar(sound.track(), sound.share()), left(sound.share())));
    }
    lanes.forEach((name, lane) -> line(lane(name, lane)));
    out.flush();
  }

  /** Never wider than the screen, as a line that wraps would spoil the count of lines. */
  private void line(String text) {
    out.println(text);
    lines++;
  }

  private String bar(String name, double share) {
    int full = (int) Math.round(share * BAR);
    String done = paint(GREEN, "#".repeat(full)) + paint(DIM, ".".repeat(BAR - full));
    return String.format(
        Locale.ROOT,
        "%s [%s] %3.0f %%",
        paint(BOLD, "%-8s".formatted(fitted(name, 12))),
        done,
        100 * share);
  }

  private String left(double share) {
    if (share <= 0) {
      return "";
    }
    return share >= 1 ? "done" : "ETA " + Quantities.clock(seconds * (1 - share) / share);
  }

  private String lane(String name, Lane lane) {
    String doing =
        lane.doing.isEmpty()
            ? "waits"
            : String.join(", ", lane.doing.stream().map(UnitId::toString).toList());
    String counts =
        "%4d chunks%s"
            .formatted(lane.chunks, lane.failures == 0 ? "" : ", " + lane.failures + " failed");
    return fitted("%-8s %-26s %s".formatted(fitted(name, 20), doing, counts), COLUMNS);
  }

  private static String fitted(String text, int columns) {
    return text.length() <= columns ? text : text.substring(0, columns - 1) + "~";
  }

  private String paint(String colour, String text) {
    return colours && !text.isEmpty() ? ESCAPE + colour + "m" + text + ESCAPE + "0m" : text;
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
