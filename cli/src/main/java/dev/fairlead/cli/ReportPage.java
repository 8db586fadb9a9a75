package dev.fairlead.cli;

import dev.fairlead.media.job.TranscodeResult;
import dev.fairlead.media.plan.Rung;
import dev.fairlead.media.plan.TranscodePlan;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A run as one HTML page that needs nothing else: figures, device lanes, throughput, rungs, devices
 * and chunks. All text that comes from files is escaped.
 */
final class ReportPage {
  static final int COLOURS = 7;
  private static final String TEMPLATE = "report.html";

  private final Recording recording;
  private final TranscodePlan plan;
  private final Optional<TranscodeResult> result;

  private ReportPage(Recording recording, TranscodePlan plan) {
    this.recording = recording;
    this.plan = plan;
    this.result = recording.result();
  }

  static String of(Recording recording, TranscodePlan plan, RunOrigin origin) {
    ReportPage page = new ReportPage(recording, plan);
    Map<String, String> parts =
        Map.ofEntries(
            Map.entry("title", Html.escape(String.valueOf(plan.request().input().getFileName()))),
            Map.entry("subtitle", Html.escape(page.subtitle())),
            Map.entry("figures", page.figures()),
            Map.entry("legend", page.legend()),
            Map.entry("lanes", new LaneChart(recording, plan.rungs()).svg()),
            Map.entry("throughput", new ThroughputChart(recording, plan.rungs()).svg()),
            Map.entry("rungs", page.rungs()),
            Map.entry("devices", page.devices()),
            Map.entry("failures", page.failures()),
            Map.entry("chunks", page.chunks()),
            Map.entry("origin", origin.rows(page.options())));
    return PageTemplate.fill(TEMPLATE, parts);
  }

  private String subtitle() {
    return "%s · %d rungs of %s on %d devices · %s"
        .formatted(
            result.map(TranscodeResult::status).orElse("not finished"),
            plan.rungs().size(),
            plan.video().codec(),
            recording.devices().size(),
            plan.request().output());
  }

  private String figures() {
    StringBuilder tiles = new StringBuilder();
    long frames = committed().stream().mapToLong(attempt -> attempt.yield().frames()).sum();
    double seconds = recording.seconds();
    tile(tiles, "Wall time", Quantities.clock(seconds), "from the request to the last playlist");
    tile(
        tiles,
        "Throughput",
        Html.format("%.0f fps", frames / Math.max(1e-9, seconds)),
        "frames of all rungs");
    result.ifPresent(done -> {
      tile(
          tiles,
          "Makespan ÷ bound",
          Html.format("%.2f", done.makespanOverBound()),
          "1.00 is the best that these devices could do");
      tile(
          tiles,
          "Busy share",
          Html.format("%.0f %%", 100 * done.busyShare()),
          "between the first chunk and the last");
      tile(
          tiles,
          "Decoded once",
          String.valueOf(done.sourceFramesDecoded()),
          "frames, and " + done.leadInFrames() + " before the start");
      tile(tiles, "Peak memory", Quantities.size(done.peakMemoryBytes()), "of decoded frames");
    });
    if (recording.resumed() > 0) {
      tile(
          tiles,
          "Resumed",
          String.valueOf(recording.resumed()),
          "chunks of an earlier run, not drawn here");
    }
    long failed = failed().size();
    tile(
        tiles,
        "Failures",
        String.valueOf(failed),
        Quantities.count(result.map(TranscodeResult::workerRestarts).orElse(0), "worker restart"));
    return tiles.toString();
  }

  private static void tile(StringBuilder tiles, String name, String value, String note) {
    tiles.append(
        "<div class='tile'><div class='name'>%s</div><div class='value'>%s</div><div class='note'>%s</div></div>"
            .formatted(Html.escape(name), Html.escape(value), Html.escape(note)));
  }

  private String legend() {
    StringBuilder legend = new StringBuilder();
    for (int i = 0; i < plan.rungs().size(); i++) {
      legend.append(
          Html.format(
              "<span class='key r%d'><i></i>%s</span>",
              i % COLOURS, Html.escape(plan.rungs().get(i).name())));
    }
    return legend
        .append("<span class='key failed'><i></i>failed</span>")
        .append("<span class='key died'><i></i>its worker died</span>")
        .append("<span class='key overtaken'><i></i>another device was first</span>")
        .toString();
  }

  private String rungs() {
    StringBuilder rows = new StringBuilder();
    for (Rung rung : plan.rungs()) {
      Optional<TranscodeResult.RungResult> made =
          result.flatMap(done ->
              done.rungs().stream().filter(each -> each.name().equals(rung.name())).findFirst());
      rows.append(
          row(
              rung.name(),
              rung.width() + "×" + rung.height(),
              String.valueOf(rung.crf()),
              made.map(each -> String.valueOf(each.frames())).orElse("–"),
              made.map(each -> String.valueOf(each.segments())).orElse("–"),
              made.map(each -> Quantities.size(each.bytes())).orElse("–"),
              made.map(each -> bitRate(each.bytes())).orElse("–")));
    }
    return rows.toString();
  }

  private String bitRate(long bytes) {
    double seconds = plan.source().seconds();
    return seconds <= 0 ? "–" : Html.format("%.0f kbit/s", bytes * 8 / seconds / 1_000);
  }

  private String devices() {
    StringBuilder rows = new StringBuilder();
    for (TranscodeResult.DeviceResult device :
        result.map(TranscodeResult::devices).orElse(List.of())) {
      rows.append(
          row(
              device.label(),
              device.name(),
              String.valueOf(device.chunks()),
              Html.format("%.2f s", device.busySeconds()),
              Html.format("%.0f fps", framesOf(device) / Math.max(1e-9, device.busySeconds())),
              String.valueOf(device.failures()),
              device.health().toLowerCase(Locale.ROOT)));
    }
    return rows.toString();
  }

  private long framesOf(TranscodeResult.DeviceResult device) {
    return committed().stream()
        .filter(attempt -> attempt.device().id().equals(device.id()))
        .mapToLong(attempt -> attempt.yield().frames())
        .sum();
  }

  private List<Recording.Attempt> committed() {
    return recording.attempts().stream()
        .filter(attempt -> attempt.ending() == Recording.Ending.COMMITTED)
        .toList();
  }

  private List<Recording.Attempt> failed() {
    return recording.attempts().stream()
        .filter(attempt -> attempt.ending() == Recording.Ending.FAILED)
        .toList();
  }

  private String failures() {
    List<Recording.Attempt> failed = failed();
    if (failed.isEmpty() && recording.notices().isEmpty() && plan.notes().isEmpty()) {
      return "<p class='quiet'>Nothing failed, and there is nothing to note.</p>";
    }
    Stream<Recording.Notice> notes =
        plan.notes().stream().map(note -> new Recording.Notice(0, note));
    Stream<Recording.Notice> attempts =
        failed.stream()
            .map(attempt ->
                new Recording.Notice(
                    attempt.span().to(),
                    "%s on %s: %s"
                        .formatted(attempt.unit(), attempt.device().label(), attempt.detail())));
    return Stream.of(notes, attempts, recording.notices().stream())
        .flatMap(each -> each)
        .sorted(Comparator.comparingDouble(Recording.Notice::seconds))
        .map(ReportPage::item)
        .collect(Collectors.joining("", "<ul>", "</ul>"));
  }

  private static String item(Recording.Notice notice) {
    return Html.format(
        "<li><time>%.2f s</time> %s</li>", notice.seconds(), Html.escape(notice.what()));
  }

  /** What the run was asked for, defaults included. */
  private List<List<String>> options() {
    return List.of(
        List.of("Source", plan.request().input().toString()),
        List.of("Output", plan.request().output().toString()),
        List.of(
            "Encoding",
            Html.format(
                "%s, preset %s, %d bits, chunks of %.2f s",
                plan.video().codec(),
                plan.video().preset(),
                plan.video().depth(),
                plan.grid().frames() / plan.frameRate().value())),
        List.of("Memory", "at most " + Quantities.size(recording.memoryBytes())));
  }

  private String chunks() {
    return recording.attempts().stream()
        .map(attempt ->
            row(
                attempt.unit().rung(),
                String.valueOf(attempt.unit().chunk()),
                attempt.device().label(),
                Html.format("%.2f s", attempt.span().from()),
                Html.format("%.2f s", attempt.span().seconds()),
                String.valueOf(attempt.yield().frames()),
                Quantities.size(attempt.yield().bytes()),
                words(attempt.ending())))
        .collect(Collectors.joining());
  }

  private static String words(Recording.Ending ending) {
    return switch (ending) {
      case COMMITTED -> "committed";
      case FAILED -> "failed";
      case DIED -> "its worker died";
      case OVERTAKEN -> "another was first";
      case STOPPED -> "stopped";
    };
  }

  private static String row(String... cells) {
    StringBuilder row = new StringBuilder("<tr>");
    for (String cell : cells) {
      row.append("<td>").append(Html.escape(cell)).append("</td>");
    }
    return row.append("</tr>").toString();
  }
}
