package dev.fairlead.benchmarks;

import dev.fairlead.policy.ServicePolicies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How close transcodes come to the shortest time that is possible at all: makespan ÷ lower bound,
 * for ladders of several lengths on several fleets of CPU lanes, under each of the placements.
 *
 * <p>Run: {@code ./fairlead bench grid}
 */
public final class GridBench {
  private static final int SECONDS = 32;
  private static final int CHUNKS = SECONDS / 2;
  private static final Pattern BOUND = Pattern.compile("\"makespanOverBound\":([0-9.eE-]+)");
  private static final List<String> LADDERS = List.of("360p", "360p,240p", "360p,240p,180p");

  /** The placements, in the order of the columns. */
  public static final List<String> PLACEMENTS = ServicePolicies.names();

  /** Lanes, and what happens to them. */
  private record Fleet(String name, String devices, String chaos) {}

  private static final List<Fleet> FLEETS =
      List.of(
          new Fleet("1 lane", "cpu:1", ""),
          new Fleet("2 lanes", "cpu:2", ""),
          new Fleet("4 lanes", "cpu:4", ""),
          new Fleet("2 lanes, one four times slower", "cpu:1,cpu:1*0.25", ""),
          new Fleet("2 lanes, one lost half-way", "cpu:2", "lost@" + CHUNKS / 2));

  /** One fleet with one ladder; a figure for each placement. */
  public record Row(String fleet, int rungs, List<Double> makespanOverBound) {
    public Row {
      makespanOverBound = List.copyOf(makespanOverBound);
    }

    private String told() {
      return IntStream.range(0, PLACEMENTS.size())
          .mapToObj(i ->
              String.format(Locale.ROOT, "%s %.2f", PLACEMENTS.get(i), makespanOverBound.get(i)))
          .collect(Collectors.joining(", ", fleet + ", rungs: " + rungs + ": ", ""));
    }
  }

  private final List<String> fairlead;
  private final Path directory;
  private final Consumer<String> progress;

  private GridBench(List<String> fairlead, Path directory, Consumer<String> progress) {
    this.fairlead = List.copyOf(fairlead);
    this.directory = directory;
    this.progress = progress;
  }

  /**
   * Measures.
   *
   * @param fairlead the command that runs fairlead
   */
  public static List<Row> run(List<String> fairlead, int rounds, Consumer<String> progress)
      throws IOException, InterruptedException {
    try (Scratch scratch = Scratch.open()) {
      return new GridBench(fairlead, scratch.directory(), progress).measure(rounds);
    }
  }

  private List<Row> measure(int rounds) throws IOException, InterruptedException {
    progress.accept("making a clip of %d s".formatted(SECONDS));
    Path clip = directory.resolve("clip.mp4");
    new BundledFfmpeg().makeClip(clip, SECONDS, 640, 360);
    List<Row> rows = new ArrayList<>();
    for (Fleet fleet : FLEETS) {
      for (String ladder : LADDERS) {
        rows.add(measure(fleet, ladder, clip, rounds));
        progress.accept(rows.getLast().told());
      }
    }
    return rows;
  }

  private Row measure(Fleet fleet, String ladder, Path clip, int rounds)
      throws IOException, InterruptedException {
    double[][] seen = new double[PLACEMENTS.size()][rounds];
    for (int round = 0; round < rounds; round++) {
      for (int placement = 0; placement < PLACEMENTS.size(); placement++) {
        seen[placement][round] = transcode(fleet, ladder, PLACEMENTS.get(placement), clip);
      }
    }
    List<Double> medians = new ArrayList<>();
    for (double[] each : seen) {
      Arrays.sort(each);
      medians.add(each[each.length / 2]);
    }
    return new Row(fleet.name(), ladder.split(",", -1).length, medians);
  }

  private double transcode(Fleet fleet, String ladder, String placement, Path clip)
      throws IOException, InterruptedException {
    Path output = directory.resolve("out");
    Scratch.delete(output);
    List<String> command = new ArrayList<>(fairlead);
    command.addAll(List.of("transcode", clip.toString(), "-o", output.toString()));
    command.addAll(List.of("--ladder", ladder, "--preset", "10", "--audio", "none", "--json"));
    command.addAll(List.of("--model", "none"));
    command.addAll(List.of("--devices", fleet.devices(), "--service", placement));
    if (!fleet.chaos().isEmpty()) {
      command.addAll(List.of("--chaos", fleet.chaos()));
    }
    Path events = directory.resolve("events");
    ProcessTree.run(command, Map.of(), events);
    return Numbers.last(BOUND, Files.readString(events));
  }
}
