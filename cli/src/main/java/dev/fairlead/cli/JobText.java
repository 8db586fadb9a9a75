package dev.fairlead.cli;

import dev.fairlead.media.report.Quantities;
import dev.fairlead.service.http.Words;
import dev.fairlead.service.job.JobView;
import dev.fairlead.service.job.JobView.JobPage;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/** Jobs of a service, for people. */
final class JobText {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT)
          .withZone(ZoneId.systemDefault());

  private JobText() {}

  /** Jobs of a page, a line each, as wide as a window. */
  static String table(JobPage page, int columns) {
    if (page.jobs().isEmpty()) {
      return "There are no such jobs.%n".formatted();
    }
    Table table = new Table("<<>><<", "JOB", "STATE", "DONE", "LEFT", "TENANT", "NAME");
    for (JobView job : page.jobs()) {
      table.row(
          job.id(),
          Words.of(job.state()),
          job.progress().map(its -> share(its.share())).orElse(""),
          job.progress().map(its -> left(its.secondsLeft())).orElse(""),
          job.tenant(),
          job.name());
    }
    StringBuilder text = new StringBuilder();
    table.toString().lines().forEach(line -> text.append(cut(line, columns)).append('\n'));
    if (page.next().isPresent()) {
      text.append("There are more; --limit shows them.\n");
    }
    return text.toString();
  }

  private static String cut(String line, int columns) {
    return line.length() <= columns ? line : line.substring(0, Math.max(0, columns - 1)) + "…";
  }

  private static String share(double share) {
    return String.format(Locale.ROOT, "%.0f %%", 100 * share);
  }

  private static String left(double seconds) {
    return seconds <= 0 ? "" : Quantities.clock(seconds);
  }

  /** All of a job. */
  static String of(JobView job) {
    StringBuilder text = new StringBuilder();
    field(text, "job", job.id());
    field(text, "name", job.name());
    field(
        text, "state", Words.of(job.state()) + (job.reason().isEmpty() ? "" : ": " + job.reason()));
    job.error()
        .ifPresent(error ->
            field(text, "error", "%s (exit code %d)".formatted(error.reason(), error.exitCode())));
    field(text, "tenant", job.tenant() + ", priority " + Words.of(job.priority()));
    field(text, "input", job.input());
    field(text, "output", job.output());
    field(text, "created", TIME.format(job.createdAt()));
    time(text, "started", job.startedAt());
    time(text, "ended", job.endedAt());
    job.progress()
        .ifPresent(its ->
            field(
                text,
                "progress",
                "%s at %s%s"
                    .formatted(
                        share(its.share()),
                        String.format(Locale.ROOT, "%.1f fps", its.framesPerSecond()),
                        its.secondsLeft() <= 0 ? "" : ", " + left(its.secondsLeft()) + " left")));
    field(
        text,
        "attempt",
        "%d, with %s of before"
            .formatted(job.attempt(), Quantities.count(job.resumedChunks(), "chunk")));
    field(text, "devices", Quantities.clock(job.deviceSeconds()) + " of work");
    job.webhook()
        .ifPresent(its ->
            field(
                text,
                "webhook",
                "%s, %s%s%s"
                    .formatted(
                        Words.of(its.state()),
                        Quantities.count(its.attempts(), "attempt"),
                        its.lastStatus().map(status -> ", last answer " + status).orElse(""),
                        its.lastTrouble().map(why -> ", the last time: " + why).orElse(""))));
    return text + tables(job);
  }

  private static void field(StringBuilder text, String name, String value) {
    text.append(String.format("%-9s ", name))
        .append(PlainDisplay.withoutControls(value))
        .append('\n');
  }

  private static void time(StringBuilder text, String name, Optional<Instant> at) {
    at.ifPresent(instant -> field(text, name, TIME.format(instant)));
  }

  private static String tables(JobView job) {
    StringBuilder text = new StringBuilder();
    if (!job.rungs().isEmpty()) {
      Table rungs = new Table("<>>>>", "RUNG", "SIZE", "FRAMES", "SEGMENTS", "BYTES");
      job.rungs()
          .forEach(rung ->
              rungs.row(
                  rung.name(),
                  rung.width() + "x" + rung.height(),
                  String.valueOf(rung.frames()),
                  String.valueOf(rung.segments()),
                  Quantities.size(rung.bytes())));
      text.append('\n').append(rungs);
    }
    if (!job.devices().isEmpty()) {
      Table devices = new Table("<>>>", "DEVICE", "CHUNKS", "BUSY", "FAILURES");
      job.devices()
          .forEach(device ->
              devices.row(
                  device.label(),
                  String.valueOf(device.chunks()),
                  Quantities.clock(device.busySeconds()),
                  String.valueOf(device.failures())));
      text.append('\n').append(devices);
    }
    return text.toString();
  }
}
