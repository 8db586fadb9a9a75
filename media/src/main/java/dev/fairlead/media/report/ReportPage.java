package dev.fairlead.media.report;

import dev.fairlead.device.Device;
import dev.fairlead.media.job.TranscodeResult;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.report.JobRecording.Ending;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A run of one job or of several as one HTML page that needs nothing else: figures, device lanes,
 * throughput, jobs, rungs, devices and chunks. All text that comes from files is escaped.
 */
public final class ReportPage {
  private static final String TEMPLATE = "report.html";

  private final Recording recording;
  private final List<JobRecording> jobs;
  private final Colouring colouring;

  private ReportPage(Recording recording) {
    this.recording = recording;
    this.jobs = recording.jobs();
    this.colouring = Colouring.of(recording);
  }

  public static String of(Recording recording, RunOrigin origin) {
    ReportPage page = new ReportPage(recording);
    ReportTables tables = new ReportTables(recording);
    Map<String, String> parts =
        Map.ofEntries(
            Map.entry("title", Html.escape(page.title())),
            Map.entry("subtitle", Html.escape(page.subtitle())),
            Map.entry("figures", page.figures()),
            Map.entry("jobs", tables.jobs()),
            Map.entry("legend", page.legend()),
            Map.entry("lanes", new LaneChart(recording, page.colouring).svg()),
            Map.entry("by", page.colouring.by()),
            Map.entry("throughput", new ThroughputChart(recording, page.colouring).svg()),
            Map.entry("rungs", tables.rungs()),
            Map.entry("devices", tables.devices()),
            Map.entry("failures", tables.failures()),
            Map.entry("chunks", tables.chunks()),
            Map.entry("origin", origin.rows(page.options())));
    return PageTemplate.fill(ReportPage.class, TEMPLATE, parts);
  }

  private String title() {
    return recording.isOfSeveral() ? jobs.size() + " jobs" : jobs.getFirst().name();
  }

  private String subtitle() {
    String states =
        recording.isOfSeveral()
            ? jobs.stream()
                .collect(Collectors.groupingBy(JobRecording::state, Collectors.counting()))
                .entrySet()
                .stream()
                .sorted(Map.Entry.comparingByKey())
                .map(each -> each.getValue() + " " + each.getKey())
                .collect(Collectors.joining(", "))
            : jobs.getFirst().state();
    String what =
        jobs.stream()
            .flatMap(job -> job.plan().stream())
            .map(plan ->
                "%s of %s"
                    .formatted(Quantities.count(plan.rungs().size(), "rung"), plan.video().codec()))
            .distinct()
            .collect(Collectors.joining(" or "));
    String where =
        recording.isOfSeveral()
            ? ""
            : jobs.getFirst().plan().map(plan -> " · " + plan.request().output()).orElse("");
    return "%s · %s on %s%s"
        .formatted(states, what, Quantities.count(recording.devices().size(), "device"), where);
  }

  private String figures() {
    StringBuilder tiles = new StringBuilder();
    List<Recording.Drawn> committed = recording.attempts(Ending.COMMITTED);
    long frames = committed.stream().mapToLong(drawn -> drawn.attempt().yield().frames()).sum();
    double seconds = recording.seconds();
    tile(tiles, "Wall time", Quantities.clock(seconds), "from the request to the last playlist");
    tile(
        tiles,
        "Throughput",
        Html.format("%.0f fps", frames / Math.max(1e-9, seconds)),
        "frames of all rungs");
    if (recording.isOfSeveral()) {
      tile(
          tiles,
          "Busy share",
          Html.format("%.0f %%", 100 * busyShare(committed)),
          "between the first chunk and the last");
    } else {
      jobs.getFirst().result().ifPresent(result -> ofOne(tiles, result));
    }
    int resumed = jobs.stream().mapToInt(JobRecording::resumed).sum();
    if (resumed > 0) {
      tile(tiles, "Resumed", String.valueOf(resumed), "chunks of an earlier run, not drawn here");
    }
    int restarts =
        jobs.stream()
            .flatMap(job -> job.result().stream())
            .mapToInt(TranscodeResult::workerRestarts)
            .sum();
    tile(
        tiles,
        "Failures",
        String.valueOf(recording.attempts(Ending.FAILED).size()),
        Quantities.count(restarts, "worker restart"));
    return tiles.toString();
  }

  private static void ofOne(StringBuilder tiles, TranscodeResult done) {
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
  }

  private double busyShare(List<Recording.Drawn> committed) {
    double busy = 0;
    double first = Double.POSITIVE_INFINITY;
    double last = 0;
    for (Recording.Drawn drawn : committed) {
      busy += drawn.attempt().span().seconds();
      first = Math.min(first, drawn.attempt().span().from());
      last = Math.max(last, drawn.attempt().span().to());
    }
    int slots = recording.devices().stream().mapToInt(Device::slots).sum();
    return committed.isEmpty() ? 0 : Math.min(1, busy / Math.max(1e-9, (last - first) * slots));
  }

  private static void tile(StringBuilder tiles, String name, String value, String note) {
    tiles.append(
        "<div class='tile'><div class='name'>%s</div><div class='value'>%s</div><div class='note'>%s</div></div>"
            .formatted(Html.escape(name), Html.escape(value), Html.escape(note)));
  }

  private String legend() {
    return colouring.legend()
        + Colouring.key("failed", "failed")
        + Colouring.key("died", "its worker died")
        + Colouring.key("overtaken", "another device was first")
        + (recording.isOfSeveral() ? "<p>The lower a bar, the smaller its rung.</p>" : "");
  }

  /** What the run was asked for, defaults included. */
  private List<List<String>> options() {
    return jobs.stream()
        .flatMap(job -> job.plan().stream().map(plan -> options(job, plan)))
        .flatMap(List::stream)
        .toList();
  }

  private List<List<String>> options(JobRecording job, TranscodePlan plan) {
    List<List<String>> options =
        List.of(
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
            List.of("Memory", "at most " + Quantities.size(job.memoryBytes())));
    return recording.isOfSeveral()
        ? List.of(
            List.of(
                job.name(),
                options.stream()
                    .map(each -> String.join(": ", each))
                    .collect(Collectors.joining("; "))))
        : options;
  }
}
