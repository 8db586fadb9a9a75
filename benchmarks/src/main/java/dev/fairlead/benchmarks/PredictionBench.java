package dev.fairlead.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether the simulator predicts what real runs take: a ladder is recorded on two equal CPU lanes,
 * from its trace the makespan on another fleet is predicted, then that is run for real. A machine
 * that is shared is not as fast in one minute as in the next, so what is measured stands between
 * two recordings, and the prediction is the mean of what both predict.
 *
 * <p>Run: {@code ./fairlead bench simulate}
 */
public final class PredictionBench {
  private static final String LADDER = "360p,240p,180p";
  private static final Pattern EVENT =
      Pattern.compile("\"event\":\"(started|committed)\",\"seconds\":([0-9.eE+-]+)");
  private static final Pattern MAKESPAN = Pattern.compile("\"makespanSeconds\":([0-9.eE+-]+)");

  /** Real lanes, and the same in the simulator; a device leaves half-way if {@code fails}. */
  private record Case(String name, String devices, String fleet, boolean fails) {}

  private static final Case RECORDED = new Case("2 equal lanes", "cpu:2", "2xlane:1", false);

  private static final List<Case> CASES =
      List.of(
          RECORDED,
          new Case("2 lanes, one twice slower", "cpu:1,cpu:1*0.5", "1xlane:1,1xslow:0.5", false),
          new Case(
              "2 lanes, one four times slower", "cpu:1,cpu:1*0.25", "1xlane:1,1xslow:0.25", false),
          new Case("2 lanes, one lost half-way", "cpu:2", "2xlane:1", true));

  /**
   * Seconds from the start of the first chunk to the end of the last; medians over the rounds.
   *
   * @param error how far the prediction is off, as a part of what was measured
   * @param worst that of the round that is off most
   */
  public record Row(
      String fleet, double predictedSeconds, double measuredSeconds, double error, double worst) {
    private static Row of(String fleet, double[] predicted, double[] measured) {
      double[] errors = new double[predicted.length];
      Arrays.setAll(errors, i -> predicted[i] / measured[i] - 1);
      double worst = 0;
      for (double error : errors) {
        worst = Math.abs(error) > Math.abs(worst) ? error : worst;
      }
      return new Row(fleet, median(predicted), median(measured), median(errors), worst);
    }

    private static double median(double[] all) {
      double[] sorted = all.clone();
      Arrays.sort(sorted);
      return sorted[sorted.length / 2];
    }
  }

  /** What the events of a run say. */
  private record Run(double firstStart, double lastEnd) {
    double makespan() {
      return lastEnd - firstStart;
    }
  }

  private record Recording(Run run, Path trace) {}

  private final List<String> fairlead;
  private final Path directory;
  private final Consumer<String> progress;

  private PredictionBench(List<String> fairlead, Path directory, Consumer<String> progress) {
    this.fairlead = List.copyOf(fairlead);
    this.directory = directory;
    this.progress = progress;
  }

  /**
   * Records, predicts and measures.
   *
   * @param fairlead the command that runs fairlead
   * @param seconds how long the clip is
   */
  public static List<Row> run(
      List<String> fairlead, int rounds, int seconds, Consumer<String> progress)
      throws IOException, InterruptedException {
    try (Scratch scratch = Scratch.open()) {
      return new PredictionBench(fairlead, scratch.directory(), progress).measure(rounds, seconds);
    }
  }

  private List<Row> measure(int rounds, int seconds) throws IOException, InterruptedException {
    progress.accept("making a clip of %d s".formatted(seconds));
    Path clip = directory.resolve("clip.mp4");
    new BundledFfmpeg().makeClip(clip, seconds, 640, 360);
    double[][] predicted = new double[CASES.size()][rounds];
    double[][] measured = new double[CASES.size()][rounds];
    for (int round = 0; round < rounds; round++) {
      Recording before = record(clip, 0);
      for (int i = 0; i < CASES.size(); i++) {
        Case each = CASES.get(i);
        double half = before.run.makespan() / 2;
        // What begins next after that is lost with its device; it takes no more from then on.
        String chaos =
            each.fails
                ? String.format(Locale.ROOT, "lost@%.2fs", before.run.firstStart() + half)
                : "";
        measured[i][round] =
            transcode(clip, each, chaos, directory.resolve("again.json")).makespan();
        Recording after = record(clip, i + 1);
        predicted[i][round] = (predict(before, each, half) + predict(after, each, half)) / 2;
        progress.accept(
            String.format(
                Locale.ROOT,
                "round %d, %s: predicted %.2f s, measured %.2f s",
                round + 1,
                each.name,
                predicted[i][round],
                measured[i][round]));
        before = after;
      }
    }
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < CASES.size(); i++) {
      rows.add(Row.of(CASES.get(i).name, predicted[i], measured[i]));
    }
    return rows;
  }

  private Recording record(Path clip, int number) throws IOException, InterruptedException {
    Path trace = directory.resolve("trace-" + number + ".json");
    return new Recording(transcode(clip, RECORDED, "", trace), trace);
  }

  private Run transcode(Path clip, Case fleet, String chaos, Path trace)
      throws IOException, InterruptedException {
    Path output = directory.resolve("out");
    Scratch.delete(output);
    List<String> command = new ArrayList<>(fairlead);
    command.addAll(List.of("transcode", clip.toString(), "-o", output.toString()));
    command.addAll(List.of("--ladder", LADDER, "--preset", "8", "--audio", "none", "--json"));
    command.addAll(List.of("--model", "none"));
    command.addAll(List.of("--devices", fleet.devices, "--trace", trace.toString()));
    if (!chaos.isEmpty()) {
      command.addAll(List.of("--chaos", chaos));
    }
    Path events = directory.resolve("events");
    ProcessTree.run(command, Map.of(), events);
    double first = Double.POSITIVE_INFINITY;
    double last = 0;
    Matcher event = EVENT.matcher(Files.readString(events));
    while (event.find()) {
      double at = Double.parseDouble(event.group(2));
      if (event.group(1).equals("started")) {
        first = Math.min(first, at);
      } else {
        last = Math.max(last, at);
      }
    }
    return new Run(first, last);
  }

  private double predict(Recording recording, Case fleet, double half)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(fairlead);
    command.addAll(
        List.of("simulate", "--from", recording.trace.toString(), "--fleet", fleet.fleet));
    command.addAll(List.of("--policy", "any-rung", "--json"));
    if (fleet.fails) {
      command.addAll(List.of("--mishap", String.format(Locale.ROOT, "leave lane-2 at %.3f", half)));
    }
    Path events = directory.resolve("prediction");
    ProcessTree.run(command, Map.of(), events);
    return Numbers.last(MAKESPAN, Files.readString(events));
  }
}
