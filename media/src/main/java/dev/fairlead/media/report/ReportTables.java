package dev.fairlead.media.report;

import dev.fairlead.device.Device;
import dev.fairlead.media.job.TranscodeResult;
import dev.fairlead.media.plan.Rung;
import dev.fairlead.media.report.JobRecording.Ending;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tables of a report. Where there are several jobs, rungs and chunks have their input. */
record ReportTables(Recording recording) {
  private static final String NONE = "–";

  /** A section with a row for each job; nothing for one alone. */
  String jobs() {
    if (!recording.isOfSeveral()) {
      return "";
    }
    String rows = recording.jobs().stream().map(this::job).collect(Collectors.joining());
    return "<section><h2>Jobs</h2>%s</section>"
        .formatted(
            table(
                "jobs",
                List.of("Input", "State", "Waited", "Wall", "On devices", "Chunks", "Bytes"),
                rows));
  }

  private String job(JobRecording job) {
    List<JobRecording.Attempt> attempts = job.attempts();
    List<JobRecording.Attempt> committed =
        attempts.stream().filter(each -> each.ending() == Ending.COMMITTED).toList();
    Optional<Double> first =
        attempts.stream().map(each -> each.span().from()).min(Double::compareTo);
    return row(
        job,
        job.state(),
        first.map(at -> clock(at - job.begun())).orElse(NONE),
        clock(job.seconds() - job.begun()),
        clock(attempts.stream().mapToDouble(each -> each.span().seconds()).sum()),
        String.valueOf(committed.size()),
        job.result()
            .map(made -> made.rungs().stream().mapToLong(rung -> rung.bytes()).sum())
            .map(Quantities::size)
            .orElse(NONE));
  }

  private static String clock(double seconds) {
    return Quantities.clock(Math.max(0, seconds));
  }

  String rungs() {
    StringBuilder rows = new StringBuilder();
    for (JobRecording job : recording.jobs()) {
      for (Rung rung : job.rungs()) {
        Optional<TranscodeResult.RungResult> made =
            job.result().stream()
                .flatMap(result -> result.rungs().stream())
                .filter(each -> each.name().equals(rung.name()))
                .findFirst();
        rows.append(
            row(
                job,
                rung.name(),
                rung.width() + "×" + rung.height(),
                String.valueOf(rung.crf()),
                made.map(each -> String.valueOf(each.frames())).orElse(NONE),
                made.map(each -> String.valueOf(each.segments())).orElse(NONE),
                made.map(each -> Quantities.size(each.bytes())).orElse(NONE),
                made.map(each -> bitRate(job, each.bytes())).orElse(NONE)));
      }
    }
    return table(
        "rungs",
        ofJobs("Rung", "Size", "CRF", "Frames", "Segments", "Bytes", "Average"),
        rows.toString());
  }

  private static String bitRate(JobRecording job, long bytes) {
    double seconds = job.plan().map(plan -> plan.source().seconds()).orElse(0.0);
    return seconds <= 0 ? NONE : Html.format("%.0f kbit/s", bytes * 8 / seconds / 1_000);
  }

  String devices() {
    StringBuilder rows = new StringBuilder();
    for (Device device : recording.devices()) {
      List<JobRecording.Attempt> committed = attempts(device, Ending.COMMITTED);
      double busy = committed.stream().mapToDouble(each -> each.span().seconds()).sum();
      long frames = committed.stream().mapToLong(each -> each.yield().frames()).sum();
      rows.append("<tr>")
          .append(
              cells(
                  device.label(),
                  device.name(),
                  String.valueOf(committed.size()),
                  Html.format("%.2f s", busy),
                  Html.format("%.0f fps", frames / Math.max(1e-9, busy)),
                  String.valueOf(attempts(device, Ending.FAILED).size()),
                  health(device)))
          .append("</tr>");
    }
    return table(
        "devices",
        List.of("Device", "Name", "Chunks", "Busy", "Speed", "Failures", "Health"),
        rows.toString());
  }

  private List<JobRecording.Attempt> attempts(Device device, Ending ending) {
    return recording.attempts(ending).stream()
        .map(Recording.Drawn::attempt)
        .filter(each -> each.device().id().equals(device.id()))
        .toList();
  }

  /** As the job said that was done last. */
  private String health(Device device) {
    return recording.jobs().stream()
        .flatMap(job -> job.result().stream())
        .flatMap(result -> result.devices().stream())
        .filter(each -> each.id().equals(device.id()))
        .map(each -> each.health().toLowerCase(Locale.ROOT))
        .reduce((_, last) -> last)
        .orElse(NONE);
  }

  String failures() {
    List<JobRecording.Notice> remarks = recording.remarks();
    return remarks.isEmpty()
        ? "<p class='quiet'>Nothing failed, and there is nothing to note.</p>"
        : remarks.stream().map(ReportTables::item).collect(Collectors.joining("", "<ul>", "</ul>"));
  }

  private static String item(JobRecording.Notice notice) {
    return Html.format(
        "<li><time>%.2f s</time> %s</li>", notice.seconds(), Html.escape(notice.what()));
  }

  String chunks() {
    StringBuilder rows = new StringBuilder();
    for (Recording.Drawn drawn : recording.attempts()) {
      JobRecording.Attempt attempt = drawn.attempt();
      rows.append(
          row(
              drawn.job(),
              attempt.unit().rung(),
              String.valueOf(attempt.unit().chunk()),
              attempt.device().label(),
              Html.format("%.2f s", attempt.span().from()),
              Html.format("%.2f s", attempt.span().seconds()),
              String.valueOf(attempt.yield().frames()),
              Quantities.size(attempt.yield().bytes()),
              attempt.ending().words()));
    }
    return table(
        "chunks",
        ofJobs("Rung", "Chunk", "Device", "From", "Took", "Frames", "Bytes", "Outcome"),
        rows.toString());
  }

  private List<String> ofJobs(String... heads) {
    return Stream.concat(
            recording.isOfSeveral() ? Stream.of("Input") : Stream.of(), Stream.of(heads))
        .toList();
  }

  private String row(JobRecording job, String... cells) {
    return "<tr>%s%s</tr>".formatted(input(job), cells(cells));
  }

  private String input(JobRecording job) {
    return recording.isOfSeveral()
        ? "<td>%s</td>"
            .formatted(Colouring.key(Colouring.css(recording.jobs().indexOf(job)), job.name()))
        : "";
  }

  private static String cells(String... cells) {
    return Stream.of(cells)
        .map(cell -> "<td>" + Html.escape(cell) + "</td>")
        .collect(Collectors.joining());
  }

  private static String table(String css, List<String> heads, String rows) {
    String head =
        heads.stream()
            .map(each -> "<th>" + Html.escape(each) + "</th>")
            .collect(Collectors.joining());
    return "<table class='%s'><thead><tr>%s</tr></thead>%n<tbody>%s</tbody></table>"
        .formatted(css + (heads.contains("Input") ? " several" : ""), head, rows);
  }
}
