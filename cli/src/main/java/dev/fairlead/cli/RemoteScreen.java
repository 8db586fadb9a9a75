package dev.fairlead.cli;

import dev.fairlead.media.report.Quantities;
import dev.fairlead.nativecode.WindowSize;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A bar for each transcode at a service, drawn again and again in place. What people should know of
 * scrolls away above. Thread-safe.
 */
final class RemoteScreen implements RemoteDisplay {
  private static final long NANOS_BETWEEN = 100_000_000;

  private final InPlaceRows rows;
  private final boolean several;
  private final Map<RemoteOrder, LiveScreen.Bar> bars = new LinkedHashMap<>();
  private long drawn = System.nanoTime() - NANOS_BETWEEN;
  private boolean closed;

  /**
   * A screen.
   *
   * @param sizes asked before each drawing
   */
  RemoteScreen(
      PrintWriter out, boolean colours, Supplier<WindowSize> sizes, List<RemoteOrder> orders) {
    this.several = orders.size() > 1;
    orders.forEach(order -> bars.put(order, new LiveScreen.Bar(order.name(), 0, "", "", "waits")));
    this.rows = new InPlaceRows(out, colours, sizes, this::rows);
  }

  private List<StyledText> rows(WindowSize window) {
    List<LiveScreen.Bar> all = List.copyOf(bars.values());
    double share = all.stream().mapToDouble(LiveScreen.Bar::share).average().orElse(0);
    return new LiveScreen(
            new LiveScreen.Bar("total", share, "", "", ""), "jobs", all, List.of(), List.of())
        .rows(window);
  }

  @Override
  public synchronized void on(RemoteOrder order, ObjectNode event) {
    if (event.path("event").asString("").equals("progress")) {
      bar(order, progress(order, event.path("rungs")));
      return;
    }
    String text = RemoteLines.text(order, event);
    if (!text.isEmpty()) {
      above(order, text);
    }
  }

  private static LiveScreen.Bar progress(RemoteOrder order, JsonNode rungs) {
    double share = 0;
    double left = 0;
    double frames = 0;
    for (JsonNode rung : rungs) {
      share += rung.path("share").asDouble(0) / rungs.size();
      left = Math.max(left, rung.path("secondsLeft").asDouble(0));
      frames += rung.path("framesPerSecond").asDouble(0);
    }
    return new LiveScreen.Bar(
        order.name(),
        share,
        frames <= 0 ? "" : String.format(Locale.ROOT, "%.1f fps", frames),
        "",
        left <= 0 ? "" : Quantities.clock(left) + " left");
  }

  private void bar(RemoteOrder order, LiveScreen.Bar bar) {
    bars.put(order, bar);
    if (!closed && System.nanoTime() - drawn >= NANOS_BETWEEN) {
      drawn = System.nanoTime();
      rows.draw();
    }
  }

  private void above(RemoteOrder order, String text) {
    if (!closed) {
      rows.above(several ? order.name() + ": " + text : text);
    }
  }

  @Override
  public synchronized void notice(RemoteOrder order, double seconds, String what) {
    above(order, what);
  }

  @Override
  public synchronized void moved(RemoteOrder order, String how, long now, long of) {
    bar(
        order,
        new LiveScreen.Bar(
            order.name(), of == 0 ? 1 : (double) now / of, "", Quantities.size(of), how));
  }

  @Override
  public synchronized void ended(RemoteEnd end) {
    LiveScreen.Bar before = bars.getOrDefault(end.order(), new LiveScreen.Bar("", 0, "", "", ""));
    double share = end.code() == 0 ? 1 : before.share();
    bars.put(end.order(), new LiveScreen.Bar(end.order().name(), share, "", "", end.state()));
    if (end.code() == 0) {
      rows.draw();
    } else {
      rows.above(RemoteLines.failure(end, several));
    }
  }

  @Override
  public synchronized void over(List<RemoteEnd> ends, int code, double seconds) {
    close();
    rows.print(RemoteLines.summary(ends, seconds));
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      rows.draw();
    }
  }
}
