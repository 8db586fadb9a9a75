package dev.fairlead.benchmarks;

import dev.fairlead.media.plan.MemoryParts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Six clips by one command, together and one at a time, in turn over several rounds, and one of
 * them beside a job that does nothing and beside one that crashes each worker. A figure is the
 * median of its rounds. Memory is looked at in one more run of all together, since that takes
 * processor time: most where most processes run.
 *
 * <p>Run: {@code ./fairlead bench jobs}
 */
public final class JobsBench {
  private static final int CLIPS = 6;
  private static final int SECONDS = 10;
  static final String LADDER = "1280x720,640x360";
  private static final Pattern GRANT =
      Pattern.compile(
          "\"memory\":\\{\"processes\":(\\d+),\"decoders\":(\\d+),\"pictures\":(\\d+),"
              + "\"encoders\":(\\d+),\"sound\":(\\d+)}");

  /**
   * What was measured.
   *
   * @param together all together against one at a time
   * @param beside a job beside one that crashes its workers against beside an idle one
   */
  public record Figures(Walls together, Walls beside, Memory memory) {}

  /**
   * How long something took, and what it is compared with; medians of rounds.
   *
   * @param over the first ÷ the second
   */
  public record Walls(double over, double seconds, double otherSeconds) {
    static Walls of(List<Walls> rounds) {
      return new Walls(
          median(rounds, Walls::over),
          median(rounds, Walls::seconds),
          median(rounds, Walls::otherSeconds));
    }

    static Walls of(double seconds, double otherSeconds) {
      return new Walls(seconds / otherSeconds, seconds, otherSeconds);
    }
  }

  /**
   * Memory of all together.
   *
   * @param peakBytes the largest sum of proportional set sizes of all processes
   * @param bytes what the command may use in all
   * @param grants what each job might use of it when it began; encoders are the same for all
   */
  public record Memory(long peakBytes, long bytes, List<MemoryParts> grants) {}

  private JobsBench() {}

  /**
   * Measures.
   *
   * @param fairlead the command that runs fairlead
   * @param memoryBytes what it may use
   */
  public static Figures run(
      List<String> fairlead, int rounds, long memoryBytes, Consumer<String> progress)
      throws IOException, InterruptedException {
    try (Scratch scratch = Scratch.open()) {
      Path directory = scratch.directory();
      List<String> command = new ArrayList<>(fairlead);
      command.add("transcode");
      makeClips(directory, progress).forEach(clip -> command.add(clip.toString()));
      Path output = directory.resolve("out");
      command.addAll(List.of("-o", output.toString(), "--ladder", LADDER, "--devices", "cpu"));
      command.addAll(List.of("--json", "--restart", "--memory", String.valueOf(memoryBytes)));
      List<String> single = new ArrayList<>(command);
      single.addAll(List.of("--jobs", "1"));
      NeighbourBench neighbours = new NeighbourBench(directory, LADDER);
      List<Walls> all = new ArrayList<>();
      List<Walls> beside = new ArrayList<>();
      Path events = directory.resolve("events");
      for (int round = 1; round <= rounds; round++) {
        ProcessTree.Usage together = ProcessTree.runTimed(command, Map.of(), events);
        progress.accept("round %d: together %s".formatted(round, together));
        ProcessTree.Usage sequential = ProcessTree.runTimed(single, Map.of(), events);
        progress.accept("round %d: one at a time %s".formatted(round, sequential));
        all.add(Walls.of(together.wallSeconds(), sequential.wallSeconds()));
        beside.add(neighbours.measure());
        progress.accept("round %d: beside a crashing job %s".formatted(round, beside.getLast()));
      }
      ProcessTree.Usage looked = ProcessTree.runProportionally(command, Map.of(), events);
      List<MemoryParts> grants =
          GRANT.matcher(Files.readString(events)).results().map(JobsBench::parts).toList();
      return new Figures(
          Walls.of(all), Walls.of(beside), new Memory(looked.peakBytes(), memoryBytes, grants));
    }
  }

  static List<Path> makeClips(Path directory, Consumer<String> progress)
      throws IOException, InterruptedException {
    progress.accept("making %d clips of %d s".formatted(CLIPS, SECONDS));
    List<Path> clips = new ArrayList<>();
    for (int clip = 0; clip < CLIPS; clip++) {
      clips.add(directory.resolve("clip%d.mp4".formatted(clip)));
      new BundledFfmpeg().makeClip(clips.getLast(), SECONDS, 1280, 720);
    }
    return clips;
  }

  private static MemoryParts parts(MatchResult match) {
    return new MemoryParts(
        number(match, 1), number(match, 2), number(match, 3), number(match, 4), number(match, 5));
  }

  private static long number(MatchResult match, int group) {
    return Long.parseLong(match.group(group));
  }

  private static double median(List<Walls> rounds, ToDoubleFunction<Walls> figure) {
    double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
    return sorted[sorted.length / 2];
  }
}
