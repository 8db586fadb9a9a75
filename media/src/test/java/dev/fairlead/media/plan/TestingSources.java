package dev.fairlead.media.plan;

import dev.fairlead.media.source.AudioTrack;
import dev.fairlead.media.source.Colour;
import dev.fairlead.media.source.Mastering;
import dev.fairlead.media.source.MediaInfo;
import dev.fairlead.media.source.Rational;
import dev.fairlead.media.source.SubtitleTrack;
import dev.fairlead.media.source.Turn;
import dev.fairlead.media.source.VideoTrack;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Sources that nobody has filmed, and a seeded supply of them. */
final class TestingSources {
  static final Rational SQUARE = new Rational(1, 1);
  static final Rational MILLIS = new Rational(1, 1_000);
  static final Rational FPS_30 = new Rational(30, 1);
  static final TranscodeRequest REQUEST = TranscodeRequest.of(Path.of("in.mp4"), Path.of("out"));

  private static final long SEED = Long.getLong("fairlead.seed", 7_919);
  private static final int CASES = Boolean.getBoolean("fairlead.full") ? 200_000 : 4_000;

  private static final List<Rational> TIME_BASES =
      List.of(
          MILLIS,
          new Rational(1, 90_000),
          new Rational(1001, 30_000),
          new Rational(1, 1_000_000_000),
          new Rational(1, 25),
          new Rational(1, 12_800),
          new Rational(1, 1),
          new Rational(1, Integer.MAX_VALUE),
          new Rational(1, 27_000_000));

  private static final List<Rational> FRAME_RATES =
      List.of(
          FPS_30,
          new Rational(30_000, 1_001),
          new Rational(24_000, 1_001),
          new Rational(25, 1),
          new Rational(120, 1),
          new Rational(1, 3),
          new Rational(0, 1),
          new Rational(90_000, 1),
          new Rational(19_001, 634),
          new Rational(Integer.MAX_VALUE, 71_582_789),
          new Rational(999_999_937, 999_983));

  private TestingSources() {}

  /** Runs a check with many random sources, each of a seed of its own that a failure names. */
  static void check(Consumer<SplittableRandom> property) {
    for (long seed = SEED; seed < SEED + CASES; seed++) {
      try {
        property.accept(new SplittableRandom(seed));
      } catch (AssertionError | RuntimeException failure) {
        throw new AssertionError("Run again with -Dfairlead.seed=" + seed, failure);
      }
    }
  }

  static VideoTrack sized(int width, int height) {
    return sized(width, height, SQUARE, Turn.NONE);
  }

  static VideoTrack sized(int width, int height, Rational pixelAspect, Turn turn) {
    return new VideoTrack(
        0,
        "h264",
        width,
        height,
        pixelAspect,
        turn,
        MILLIS,
        FPS_30,
        0,
        60_000,
        8,
        Colour.unspecified(),
        false,
        Mastering.none(),
        12);
  }

  static VideoTrack timed(Rational timeBase, Rational frameRate, long start) {
    return new VideoTrack(
        0,
        "h264",
        1920,
        1080,
        SQUARE,
        Turn.NONE,
        timeBase,
        frameRate,
        start,
        0,
        8,
        Colour.unspecified(),
        false,
        Mastering.none(),
        12);
  }

  static VideoTrack timed(SplittableRandom random) {
    long start =
        switch (random.nextInt(4)) {
          case 0 -> 0;
          case 1 -> random.nextLong(-1_000_000, 1_000_000);
          case 2 -> (1L << 62) - random.nextLong(1_000_000);
          default -> -(1L << 62) + random.nextLong(1_000_000);
        };
    return timed(
        TIME_BASES.get(random.nextInt(TIME_BASES.size())),
        FRAME_RATES.get(random.nextInt(FRAME_RATES.size())),
        start);
  }

  static VideoTrack sized(SplittableRandom random) {
    Rational aspect =
        random.nextBoolean() ? SQUARE : new Rational(random.nextInt(1, 40), random.nextInt(20, 40));
    return sized(
        side(random), side(random), aspect, Turn.values()[random.nextInt(Turn.values().length)]);
  }

  private static int side(SplittableRandom random) {
    return 16 + random.nextInt(1 << random.nextInt(1, 14));
  }

  static MediaInfo with(VideoTrack video) {
    return new MediaInfo("mov", 60, 1_000, video, List.of(), List.of());
  }

  static MediaInfo with(List<AudioTrack> audio, List<SubtitleTrack> subtitles) {
    return new MediaInfo("mov", 60, 1_000, sized(1280, 720), audio, subtitles);
  }

  static AudioTrack audio(int stream, String codec, int channels) {
    return new AudioTrack(stream, codec, channels, "", 48_000, MILLIS, 0, "eng", "", stream == 1);
  }
}
