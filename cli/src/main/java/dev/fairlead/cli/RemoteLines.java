package dev.fairlead.cli;

import dev.fairlead.media.report.Quantities;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A line for each event that matters, on standard error; what was made on standard output. */
final class RemoteLines implements RemoteDisplay {
  private static final long NANOS_BETWEEN = 5_000_000_000L;

  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean several;
  private long last = System.nanoTime() - NANOS_BETWEEN;

  /**
   * Lines.
   *
   * @param several whether each says which job it is of
   */
  RemoteLines(PrintWriter out, PrintWriter err, boolean several) {
    this.out = out;
    this.err = err;
    this.several = several;
  }

  /** What people should know of an event; empty if nothing. */
  static String text(RemoteOrder order, ObjectNode event) {
    String rung = event.path("rung").asString("");
    return switch (event.path("event").asString("")) {
      case "planned" -> becomes(order, event);
      case "requeued" ->
          "%s/%s failed on %s and is encoded again: %s"
              .formatted(
                  rung,
                  event.path("chunk").asString(""),
                  event.path("device").asString(""),
                  event.path("reason").asString(""));
      case "rung" ->
          "%s is complete at the service: %s"
              .formatted(rung, Quantities.size(event.path("bytes").asLong(0)));
      case "notice" -> event.path("what").asString("");
      default -> "";
    };
  }

  private static String becomes(RemoteOrder order, ObjectNode planned) {
    int resumed = planned.path("resumed").asInt(0);
    return "%s becomes %s on %s%s"
        .formatted(
            order.input(),
            words(planned.path("rungs"), "name"),
            words(planned.path("devices"), ""),
            resumed == 0
                ? ""
                : "; goes on with %s of before".formatted(Quantities.count(resumed, "chunk")));
  }

  private static String words(JsonNode all, String field) {
    return StreamSupport.stream(all.spliterator(), false)
        .map(each -> (field.isEmpty() ? each : each.path(field)).asString(""))
        .collect(Collectors.joining(", "));
  }

  @Override
  public synchronized void on(RemoteOrder order, ObjectNode event) {
    if (event.path("event").asString("").equals("progress")) {
      if (isTime()) {
        line(order, event.path("seconds").asDouble(0), progress(event));
      }
    } else {
      String text = text(order, event);
      if (!text.isEmpty()) {
        line(order, event.path("seconds").asDouble(0), text);
      }
    }
  }

  private boolean isTime() {
    long now = System.nanoTime();
    if (now - last < NANOS_BETWEEN) {
      return false;
    }
    last = now;
    return true;
  }

  private static String progress(ObjectNode progress) {
    return StreamSupport.stream(progress.path("rungs").spliterator(), false)
        .map(rung ->
            String.format(
                Locale.ROOT,
                "%s %.0f %% at %.1f fps",
                rung.path("name").asString(""),
                100 * rung.path("share").asDouble(0),
                rung.path("framesPerSecond").asDouble(0)))
        .collect(Collectors.joining(", "));
  }

  @Override
  public synchronized void notice(RemoteOrder order, double seconds, String what) {
    line(order, seconds, what);
  }

  @Override
  public synchronized void moved(RemoteOrder order, String how, long now, long of) {
    if (isTime()) {
      err.println(
          PlainDisplay.withoutControls(
              "%s: %s, %s of %s"
                  .formatted(order.name(), how, Quantities.size(now), Quantities.size(of))));
      err.flush();
    }
  }

  private void line(RemoteOrder order, double seconds, String text) {
    String whole = several ? order.name() + ": " + text : text;
    err.println(
        String.format(Locale.ROOT, "%8.2f s  %s", seconds, PlainDisplay.withoutControls(whole)));
    err.flush();
  }

  /** Why a job is not done. */
  static String failure(RemoteEnd end, boolean several) {
    return "fairlead: " + (several ? end.order().name() + ": " : "") + end.error();
  }

  /** What people are shown when all have ended. */
  static String summary(List<RemoteEnd> ends, double seconds) {
    if (ends.size() == 1) {
      RemoteEnd end = ends.getFirst();
      return end.code() == 0
          ? Summary.of(
              RemoteEvents.result(end.last(), end.order().output()),
              end.last().path("seconds").asDouble(seconds))
          : "";
    }
    Table table = new Table("<<<<", "INPUT", "STATE", "JOB", "OUTPUT");
    ends.forEach(end ->
        table.row(end.order().name(), end.state(), end.job(), end.order().output().toString()));
    long done = ends.stream().filter(end -> end.code() == 0).count();
    return "%s%n%d of %d done in %s%n"
        .formatted(table, done, ends.size(), Quantities.clock(seconds));
  }

  @Override
  public synchronized void ended(RemoteEnd end) {
    if (end.code() != 0) {
      err.println(PlainDisplay.withoutControls(failure(end, several)));
      err.flush();
    }
  }

  @Override
  public synchronized void over(List<RemoteEnd> ends, int code, double seconds) {
    out.print(summary(ends, seconds));
    out.flush();
  }

  @Override
  public void close() {}
}
