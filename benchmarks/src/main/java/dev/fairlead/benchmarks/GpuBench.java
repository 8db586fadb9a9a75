package dev.fairlead.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * How well a ladder keeps cards busy: whole transcodes on doubles of NVIDIA's driver, which take a
 * set time for each picture and keep books. First on cards of unlike speeds, of which each is to
 * have a picture to work on at all times; then on more and more equal ones, until the processor
 * cannot feed them any more. Linux only, with gcc.
 *
 * <p>A double shows how cards are used, not how fast a real one is. Decoding and scaling are real,
 * on the processor.
 *
 * <p>Run: {@code ./fairlead bench gpu --cards 4}
 */
public final class GpuBench {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 360;
  private static final int RATE = 30;
  private static final int CHUNK_SECONDS = 2;
  private static final List<String> RUNGS = List.of("640x360", "480x270", "320x180");

  /** Of cards in turn, fastest last: 1, 1, 2 and 4 times as fast as the first. */
  private static final int[] SPEEDS = {1, 1, 2, 4};

  /** Milliseconds that a picture takes on a card of speed 1. */
  private static final double SLOWEST_MILLIS = 48;

  /** Milliseconds of a picture on each of the equal cards that are to be fed. */
  private static final double FED_MILLIS = 8;

  /** Consumer drivers of NVIDIA allow so many sessions on a host. */
  private static final int SESSIONS = 8;

  private static final int MOST_CARDS = 16;

  /** Cards are fed if each has a picture to work on for so much of the time. */
  private static final double FED = 0.95;

  /**
   * What was measured; shares and ratios are medians, counts the largest of any round.
   *
   * @param makespanOverBound the time from the first picture to the last ÷ the least in which these
   *     cards can do as many
   * @param cardReadyShare how much of its time the least busy card had a picture to work on
   * @param contextsOpened in the process with most of them
   * @param sessionsLimit what the host allows
   * @param cardsFed how many equal cards had pictures at all times but a twentieth
   */
  public record Figures(
      int cards,
      double makespanOverBound,
      double cardReadyShare,
      int contextsOpened,
      int sessionsPeak,
      int sessionsLimit,
      int cardsFed,
      double fedPicturesPerSecond,
      List<Fed> fed,
      int processors,
      double load,
      int rounds) {}

  /** What equal cards had, by their number. */
  public record Fed(int cards, double readyShare, double picturesPerSecond) {}

  private record Round(double overBound, double ready, int contexts, int sessions, double rate) {}

  private final List<String> fairlead;
  private final Path directory;
  private final Path books;
  private final NvidiaDoubles doubles;
  private final int seconds;

  private GpuBench(
      List<String> fairlead, Path directory, Path books, NvidiaDoubles doubles, int seconds) {
    this.fairlead = List.copyOf(fairlead);
    this.directory = directory;
    this.books = books;
    this.doubles = doubles;
    this.seconds = seconds;
  }

  /**
   * Measures.
   *
   * @param fairlead the command that runs fairlead
   * @param cards of unlike speeds
   * @param seconds how long the clip is: chunks of two seconds
   */
  public static Figures run(
      List<String> fairlead, int cards, int rounds, int seconds, Consumer<String> progress)
      throws IOException, InterruptedException {
    if (seconds < CHUNK_SECONDS || seconds % CHUNK_SECONDS != 0) {
      throw new IllegalArgumentException("--seconds is a multiple of " + CHUNK_SECONDS);
    }
    if (cards < 1 || cards > MOST_CARDS) {
      throw new IllegalArgumentException("--cards is 1 to " + MOST_CARDS);
    }
    // A worker that is confined writes books here only.
    try (Scratch scratch = Scratch.open();
        Scratch shared = Scratch.open(Path.of("/dev/shm"))) {
      progress.accept("compiling the doubles, making a clip of %d s".formatted(seconds));
      NvidiaDoubles doubles = NvidiaDoubles.compile(scratch.directory());
      new BundledFfmpeg().makeClip(scratch.directory().resolve("clip.mp4"), seconds, WIDTH, HEIGHT);
      return new GpuBench(fairlead, scratch.directory(), shared.directory(), doubles, seconds)
          .measure(cards, rounds, progress);
    }
  }

  private Figures measure(int cards, int rounds, Consumer<String> progress)
      throws IOException, InterruptedException {
    List<Double> unlike = new ArrayList<>();
    for (int card = 0; card < cards; card++) {
      unlike.add(SLOWEST_MILLIS / SPEEDS[card % SPEEDS.length]);
    }
    double load = load();
    List<Round> all = rounds(unlike, SESSIONS, rounds, progress);
    List<Fed> fed = new ArrayList<>();
    do {
      int equal = fed.isEmpty() ? 1 : 2 * fed.getLast().cards();
      List<Double> millis = Collections.nCopies(equal, FED_MILLIS);
      List<Round> its = rounds(millis, 2 * equal, rounds, progress);
      fed.add(new Fed(equal, median(its, Round::ready), median(its, Round::rate)));
    } while (fed.getLast().readyShare() >= FED && fed.getLast().cards() < MOST_CARDS);
    return new Figures(
        cards,
        median(all, Round::overBound),
        median(all, Round::ready),
        all.stream().mapToInt(Round::contexts).max().orElseThrow(),
        all.stream().mapToInt(Round::sessions).max().orElseThrow(),
        SESSIONS,
        fed.stream().filter(each -> each.readyShare() >= FED).mapToInt(Fed::cards).max().orElse(0),
        fed.stream().mapToDouble(Fed::picturesPerSecond).max().orElseThrow(),
        fed,
        Runtime.getRuntime().availableProcessors(),
        load,
        rounds);
  }

  private List<Round> rounds(
      List<Double> pictureMillis, int sessions, int rounds, Consumer<String> progress)
      throws IOException, InterruptedException {
    List<Round> all = new ArrayList<>();
    for (int round = 1; round <= rounds; round++) {
      Round measured = round(pictureMillis, sessions);
      all.add(measured);
      progress.accept(
          String.format(
              Locale.ROOT,
              "%d cards, round %d: %.3f times the bound, %.3f ready, %.0f pictures/s, %d contexts,"
                  + " %d sessions at most, load %.1f",
              pictureMillis.size(),
              round,
              measured.overBound(),
              measured.ready(),
              measured.rate(),
              measured.contexts(),
              measured.sessions(),
              load()));
    }
    return all;
  }

  private Round round(List<Double> pictureMillis, int sessions)
      throws IOException, InterruptedException {
    Path output = directory.resolve("ours");
    Scratch.delete(output);
    Scratch.delete(books);
    Files.createDirectory(books);
    List<String> command = new ArrayList<>(fairlead);
    command.addAll(List.of("transcode", directory.resolve("clip.mp4").toString()));
    command.addAll(List.of("-o", output.toString(), "--ladder", String.join(",", RUNGS)));
    command.addAll(List.of("--devices", "cuda", "--decode-device", "cpu", "--codec", "h264"));
    command.addAll(List.of("--segment", String.valueOf(CHUNK_SECONDS), "--audio", "none"));
    command.addAll(List.of("--model", "none", "--json"));
    ProcessTree.run(
        command,
        doubles.environment(new NvidiaDoubles.Host(pictureMillis, sessions, books)),
        directory.resolve("events"));
    CardBooks kept = CardBooks.read(books, CHUNK_SECONDS * RATE);
    long wanted = (long) RUNGS.size() * seconds * RATE;
    return new Round(
        kept.seconds() / CardBooks.bound(wanted, pictureMillis),
        kept.readyShare(pictureMillis),
        kept.contexts(),
        kept.sessionsPeak(),
        wanted / kept.seconds());
  }

  /** What else the machine does: processes that want to run, as the kernel averages them. */
  private static double load() throws IOException {
    String averages = Files.readString(Path.of("/proc/loadavg"));
    return Double.parseDouble(averages.substring(0, averages.indexOf(' ')));
  }

  private interface Figure {
    double of(Round round);
  }

  private static double median(List<Round> all, Figure figure) {
    double[] sorted = all.stream().mapToDouble(figure::of).sorted().toArray();
    return sorted[sorted.length / 2];
  }
}
