package dev.fairlead.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What a start costs: a transcode of five pictures, where encoding is hardly any of it, and a look
 * into the same file, in turn with the bundled {@code ffmpeg}, which encodes the same pictures. A
 * round that is not counted comes first; a figure is the median of the others. Linux only.
 *
 * <p>Run: {@code ./fairlead bench start}
 */
public final class StartBench {
  private static final int PICTURES = 5;
  private static final String SIZE = "640x360";
  private static final String PRESET = "9";
  private static final String CRF = "35";

  private static final Path OWN_TIMES = Path.of("/proc/self/stat");
  private static final int USER_TIME_OF_CHILDREN = 13;
  private static final int SYSTEM_TIME_OF_CHILDREN = 14;
  private static final double TICKS_PER_SECOND = 100;

  /** Seconds; processor time is that of all processes. */
  public record Figures(
      double transcodeWallSeconds,
      double transcodeCpuSeconds,
      double probeWallSeconds,
      double ffmpegWallSeconds,
      int rounds) {}

  private record Round(double transcodeWall, double transcodeCpu, double probe, double ffmpeg) {}

  private final List<String> fairlead;
  private final Path directory;
  private final BundledFfmpeg ffmpeg = new BundledFfmpeg();

  private StartBench(List<String> fairlead, Path directory) {
    this.fairlead = List.copyOf(fairlead);
    this.directory = directory;
  }

  /**
   * Measures.
   *
   * @param fairlead the command that runs fairlead
   */
  public static Figures run(List<String> fairlead, int rounds, Consumer<String> progress)
      throws IOException, InterruptedException {
    try (Scratch scratch = Scratch.open()) {
      StartBench bench = new StartBench(fairlead, scratch.directory());
      Path clip = bench.makeClip();
      bench.round(clip);
      List<Round> all = new ArrayList<>();
      for (int round = 1; round <= rounds; round++) {
        all.add(bench.round(clip));
        progress.accept("round %d: %s".formatted(round, all.getLast()));
      }
      return new Figures(
          median(all, Round::transcodeWall),
          median(all, Round::transcodeCpu),
          median(all, Round::probe),
          median(all, Round::ffmpeg),
          rounds);
    }
  }

  private Path makeClip() throws IOException, InterruptedException {
    Path clip = directory.resolve("clip.mp4");
    ffmpeg.run(
        List.of(
            "-f",
            "lavfi",
            "-i",
            "testsrc2=s=%s:r=25".formatted(SIZE),
            "-frames:v",
            String.valueOf(PICTURES),
            "-c:v",
            "libopenh264",
            clip.toString()),
        directory.resolve("clip.log"));
    return clip;
  }

  private Round round(Path clip) throws IOException, InterruptedException {
    Path output = directory.resolve("ours");
    Scratch.delete(output);
    double before = timeOfChildren();
    double transcode =
        fairlead(
            "transcode",
            clip.toString(),
            "-o",
            output.toString(),
            "--ladder",
            SIZE,
            "--preset",
            PRESET,
            "--crf",
            CRF,
            "--format",
            "mp4",
            "--model",
            "none");
    double cpu = timeOfChildren() - before;
    double probe = fairlead("probe", clip.toString());
    ProcessTree.Usage theirs =
        ffmpeg.run(
            List.of(
                "-i",
                clip.toString(),
                "-c:v",
                "libsvtav1",
                "-preset",
                PRESET,
                "-crf",
                CRF,
                directory.resolve("theirs.mp4").toString()),
            directory.resolve("theirs.log"));
    return new Round(transcode, cpu, probe, theirs.wallSeconds());
  }

  private double fairlead(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(fairlead);
    command.addAll(Arrays.asList(arguments));
    return ProcessTree.run(command, Map.of(), directory.resolve("ours.log")).wallSeconds();
  }

  /** What all processes took that this one has waited for, with those that they waited for. */
  private static double timeOfChildren() throws IOException {
    String stat = Files.readString(OWN_TIMES);
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[USER_TIME_OF_CHILDREN])
            + Long.parseLong(fields[SYSTEM_TIME_OF_CHILDREN]))
        / TICKS_PER_SECOND;
  }

  private interface Figure {
    double of(Round round);
  }

  private static double median(List<Round> all, Figure figure) {
    double[] sorted = all.stream().mapToDouble(figure::of).sorted().toArray();
    return sorted[sorted.length / 2];
  }
}
