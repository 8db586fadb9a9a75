package dev.fairlead.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * The same ladder by Fairlead and by the bundled {@code ffmpeg} in one command, in turn, over
 * several rounds; a figure is the median of its rounds.
 *
 * <p>Run: {@code ./fairlead bench ladder}
 */
public final class LadderBench {
  /** The usual one; from 10 on Fairlead has the encoder make other pictures than ffmpeg does. */
  private static final int PRESET = 9;

  private static final int CRF = 35;
  private static final int FRAMES_PER_KEY = 60;
  private static final List<Rung> RUNGS =
      List.of(
          new Rung("1080p", 1920, 1080), new Rung("720p", 1280, 720), new Rung("480p", 854, 480));
  private static final Pattern SSIM = Pattern.compile("All:([0-9.]+)");
  private static final Pattern BUSY = Pattern.compile("\"busyShare\":([0-9.eE-]+)");
  private static final Pattern BOUND = Pattern.compile("\"makespanOverBound\":([0-9.eE-]+)");

  private record Rung(String name, int width, int height) {}

  /** Ratios are ours ÷ theirs. */
  public record Figures(
      double wallRatio,
      double cpuRatio,
      double memoryRatio,
      double bytesRatio,
      Ssim ssim,
      double busyShare,
      double makespanOverBound,
      double wallSeconds,
      double opponentWallSeconds,
      List<Opponent> opponents) {}

  /** What one command of ffmpeg took, by medians; the fastest is the one that counts. */
  public record Opponent(String command, double wallSeconds, double cpuSeconds, long megabytes) {}

  /** How like the source the largest rung is. */
  public record Ssim(double ours, double theirs) {}

  private record Round(ProcessTree.Usage ours, List<ProcessTree.Usage> theirs, String events) {}

  /** Options of the encoder that are worth a try, none first. */
  private static final List<List<String>> WAYS =
      List.of(List.of(), List.of("-svtav1-params", "lp=1"));

  private static final String UNDESCRIBED =
      "setparams=range=unknown:colorspace=unknown:color_primaries=unknown:color_trc=unknown";

  private final List<String> fairlead;
  private final Path directory;
  private final Consumer<String> progress;
  private final BundledFfmpeg ffmpeg = new BundledFfmpeg();

  private LadderBench(List<String> fairlead, Path directory, Consumer<String> progress) {
    this.fairlead = List.copyOf(fairlead);
    this.directory = directory;
    this.progress = progress;
  }

  /**
   * Measures.
   *
   * @param fairlead the command that runs fairlead
   * @param seconds how long the clip is
   */
  public static Figures run(
      List<String> fairlead, int rounds, int seconds, Consumer<String> progress)
      throws IOException, InterruptedException {
    try (Scratch scratch = Scratch.open()) {
      return new LadderBench(fairlead, scratch.directory(), progress).measure(rounds, seconds);
    }
  }

  private Figures measure(int rounds, int seconds) throws IOException, InterruptedException {
    progress.accept("making a clip of %d s".formatted(seconds));
    Path clip = directory.resolve("clip.mp4");
    ffmpeg.makeClip(clip, seconds, 1920, 1080);
    for (List<String> way : WAYS) {
      progress.accept("opponent: " + command(clip, way));
    }
    List<Round> all = new ArrayList<>();
    for (int round = 1; round <= rounds; round++) {
      Scratch.delete(directory.resolve("ours"));
      Path events = directory.resolve("events");
      ProcessTree.Usage ours = ProcessTree.run(ours(clip), Map.of(), events);
      progress.accept("round %d: fairlead %s".formatted(round, ours));
      List<ProcessTree.Usage> theirs = new ArrayList<>();
      for (List<String> way : WAYS) {
        theirs.add(ffmpeg(opponent(clip, way), "opponent"));
        progress.accept(
            "round %d: ffmpeg %s %s".formatted(round, String.join(" ", way), theirs.getLast()));
      }
      all.add(new Round(ours, theirs, Files.readString(events)));
    }
    return figures(all, clip);
  }

  private Figures figures(List<Round> all, Path clip) throws IOException, InterruptedException {
    List<Opponent> opponents = new ArrayList<>();
    for (int way = 0; way < WAYS.size(); way++) {
      int its = way;
      opponents.add(
          new Opponent(
              command(clip, WAYS.get(way)),
              median(all, each -> each.theirs().get(its).wallSeconds()),
              median(all, each -> each.theirs().get(its).cpuSeconds()),
              Math.round(median(all, each -> each.theirs().get(its).peakBytes() >> 20))));
    }
    int best = 0;
    for (int way = 1; way < WAYS.size(); way++) {
      best = opponents.get(way).wallSeconds() < opponents.get(best).wallSeconds() ? way : best;
    }
    int fastest = best;
    long ours = 0;
    long theirs = 0;
    for (Rung rung : RUNGS) {
      ours += Files.size(mp4(rung));
      theirs += Files.size(theirs(rung, WAYS.get(fastest)));
    }
    progress.accept("comparing pictures");
    return new Figures(
        median(all, each -> each.ours().wallSeconds() / each.theirs().get(fastest).wallSeconds()),
        median(all, each -> each.ours().cpuSeconds() / each.theirs().get(fastest).cpuSeconds()),
        median(
            all, each -> (double) each.ours().peakBytes() / each.theirs().get(fastest).peakBytes()),
        (double) ours / theirs,
        new Ssim(
            ssim(mp4(RUNGS.getFirst()), clip),
            ssim(theirs(RUNGS.getFirst(), WAYS.get(fastest)), clip)),
        median(all, each -> Numbers.last(BUSY, each.events())),
        median(all, each -> Numbers.last(BOUND, each.events())),
        median(all, each -> each.ours().wallSeconds()),
        opponents.get(fastest).wallSeconds(),
        opponents);
  }

  private String command(Path clip, List<String> way) {
    return "ffmpeg " + String.join(" ", opponent(clip, way));
  }

  private Path mp4(Rung rung) {
    return directory.resolve("ours").resolve(rung.name() + ".mp4");
  }

  private Path theirs(Rung rung, List<String> way) {
    return directory.resolve("theirs-%s-%d.mp4".formatted(rung.name(), WAYS.indexOf(way)));
  }

  private List<String> ours(Path clip) {
    List<String> command = new ArrayList<>(fairlead);
    command.addAll(
        List.of(
            "transcode",
            clip.toString(),
            "-o",
            directory.resolve("ours").toString(),
            "--ladder",
            String.join(",", RUNGS.stream().map(Rung::name).toList()),
            "--preset",
            String.valueOf(PRESET),
            "--crf",
            String.valueOf(CRF),
            "--format",
            "mp4",
            "--audio",
            "none",
            "--model",
            "none",
            "--json"));
    return command;
  }

  private List<String> opponent(Path clip, List<String> way) {
    List<String> arguments = new ArrayList<>(List.of("-i", clip.toString(), "-filter_complex"));
    arguments.add("[0:v]split=3[a][s1][s2];[s1]scale=1280:720[b];[s2]scale=854:480[c]");
    List<String> pads = List.of("[a]", "[b]", "[c]");
    for (int rung = 0; rung < RUNGS.size(); rung++) {
      arguments.addAll(
          List.of(
              "-map",
              pads.get(rung),
              "-c:v",
              "libsvtav1",
              "-preset",
              String.valueOf(PRESET),
              "-crf",
              String.valueOf(CRF),
              "-g",
              String.valueOf(FRAMES_PER_KEY)));
      arguments.addAll(way);
      arguments.add(theirs(RUNGS.get(rung), way).toString());
    }
    return arguments;
  }

  private ProcessTree.Usage ffmpeg(List<String> arguments, String what)
      throws IOException, InterruptedException {
    return ffmpeg.run(arguments, directory.resolve(what + ".log"));
  }

  /** Compares samples as they are: where files describe colours differently, ffmpeg converts. */
  private double ssim(Path file, Path clip) throws IOException, InterruptedException {
    ffmpeg(
        List.of(
            "-i",
            file.toString(),
            "-i",
            clip.toString(),
            "-lavfi",
            "[0:v]%1$s[a];[1:v]%1$s[b];[a][b]ssim".formatted(UNDESCRIBED),
            "-f",
            "null",
            "-"),
        "ssim");
    return Numbers.last(SSIM, Files.readString(directory.resolve("ssim.log")));
  }

  private interface Figure {
    double of(Round round);
  }

  private static double median(List<Round> all, Figure figure) {
    double[] sorted = all.stream().mapToDouble(figure::of).sorted().toArray();
    return sorted[sorted.length / 2];
  }
}
