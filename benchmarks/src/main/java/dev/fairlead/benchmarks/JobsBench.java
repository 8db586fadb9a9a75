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
 * Six clips by one command, together and one at a time, in turn over several rounds; a figure is
 * the median of its rounds, but for memory, which is the largest of all.
 *
 * <p>Run: {@code ./fairlead bench jobs}
 */
public final class JobsBench {
  private static final int CLIPS = 6;
  private static final int SECONDS = 10;
  private static final String LADDER = "1280x720,640x360";
  private static final Pattern GRANT =
      Pattern.compile(
          "\"memory\":\\{\"processes\":(\\d+),\"decoders\":(\\d+),\"pictures\":(\\d+),"
              + "\"encoders\":(\\d+),\"sound\":(\\d+)}");

  /**
   * What was measured.
   *
   * @param peakMemoryBytes the largest sum of proportional set sizes of all processes
   * @param memoryBytes what the command may use in all
   * @param grants what each job might use of it when it began; encoders are the same for all
   */
  public record Figures(
      double togetherOverSequential,
      double togetherSeconds,
      double sequentialSeconds,
      long peakMemoryBytes,
      long memoryBytes,
      List<MemoryParts> grants) {}

  private record Round(ProcessTree.Usage together, ProcessTree.Usage sequential) {}

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
      progress.accept("making %d clips of %d s".formatted(CLIPS, SECONDS));
      for (int clip = 0; clip < CLIPS; clip++) {
        Path file = directory.resolve("clip%d.mp4".formatted(clip));
        new BundledFfmpeg().makeClip(file, SECONDS, 1280, 720);
        command.add(file.toString());
      }
      Path output = directory.resolve("out");
      command.addAll(List.of("-o", output.toString(), "--ladder", LADDER, "--devices", "cpu"));
      command.addAll(List.of("--json", "--restart", "--memory", String.valueOf(memoryBytes)));
      List<Round> all = new ArrayList<>();
      Path events = directory.resolve("events");
      List<MemoryParts> grants = List.of();
      for (int round = 1; round <= rounds; round++) {
        ProcessTree.Usage together = ProcessTree.runProportionally(command, Map.of(), events);
        grants = GRANT.matcher(Files.readString(events)).results().map(JobsBench::parts).toList();
        progress.accept("round %d: together %s".formatted(round, together));
        List<String> single = new ArrayList<>(command);
        single.addAll(List.of("--jobs", "1"));
        ProcessTree.Usage sequential = ProcessTree.runProportionally(single, Map.of(), events);
        progress.accept("round %d: one at a time %s".formatted(round, sequential));
        all.add(new Round(together, sequential));
      }
      return new Figures(
          median(all, each -> each.together().wallSeconds() / each.sequential().wallSeconds()),
          median(all, each -> each.together().wallSeconds()),
          median(all, each -> each.sequential().wallSeconds()),
          all.stream().mapToLong(each -> each.together().peakBytes()).max().orElseThrow(),
          memoryBytes,
          grants);
    }
  }

  private static MemoryParts parts(MatchResult match) {
    return new MemoryParts(
        number(match, 1), number(match, 2), number(match, 3), number(match, 4), number(match, 5));
  }

  private static long number(MatchResult match, int group) {
    return Long.parseLong(match.group(group));
  }

  private static double median(List<Round> rounds, ToDoubleFunction<Round> figure) {
    double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
    return sorted[sorted.length / 2];
  }
}
