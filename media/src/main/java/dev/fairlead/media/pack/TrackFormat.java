package dev.fairlead.media.pack;

import dev.fairlead.media.codec.CodecConfig;
import dev.fairlead.media.source.Colour;
import dev.fairlead.media.source.Mastering;
import dev.fairlead.media.source.Rational;

/** What a file says about a track before its first sample. */
public sealed interface TrackFormat {
  CodecConfig config();

  /** Ticks per second of the timestamps. */
  int timescale();

  /**
   * Ticks by which the first sample may precede the start of the output: its sound is decoded, not
   * played.
   */
  int priming();

  /** A video track of {@code width} × {@code height} stored pixels. */
  record Video(
      CodecConfig.Picture config,
      int width,
      int height,
      int timescale,
      Rational pixelAspect,
      Colour colour,
      Mastering mastering)
      implements TrackFormat {
    public Video {
      requireTimescale(timescale);
      if (width <= 0 || height <= 0 || width > 0xffff || height > 0xffff) {
        throw new IllegalArgumentException("No file holds video of " + width + "×" + height);
      }
      if (pixelAspect.num() <= 0) {
        throw new IllegalArgumentException("The pixel aspect is " + pixelAspect);
      }
    }

    /** Size and colours as the stream's own header says, with square pixels. */
    public static Video of(CodecConfig.Picture config, int timescale) {
      return of(config, timescale, config.sequence().colour(), Mastering.none());
    }

    /** Size as the stream's own header says, with square pixels. */
    public static Video of(
        CodecConfig.Picture config, int timescale, Colour colour, Mastering mastering) {
      return new Video(
          config,
          config.sequence().width(),
          config.sequence().height(),
          timescale,
          new Rational(1, 1),
          colour,
          mastering);
    }

    @Override
    public int priming() {
      return 0;
    }

    /** Width with square pixels. */
    int displayWidth() {
      return (int) Math.max(1, Math.round(width * pixelAspect.value()));
    }
  }

  /**
   * An audio track.
   *
   * @param priming samples that the encoder puts first and a player drops
   * @param language a tag such as {@code eng} or {@code pt-BR}; empty if none
   */
  record Audio(
      CodecConfig.Sound config,
      int channels,
      int sampleRate,
      int timescale,
      int priming,
      String language)
      implements TrackFormat {
    public Audio {
      requireTimescale(timescale);
      if (channels <= 0 || sampleRate <= 0 || priming < 0) {
        throw new IllegalArgumentException(
            "%d channels at %d Hz after %d samples are no track"
                .formatted(channels, sampleRate, priming));
      }
    }

    /** Channels and rate as the stream's own header says; ticks are samples. */
    public static Audio of(CodecConfig.Sound config, int priming, String language) {
      int rate = config.sampleRate();
      return new Audio(config, config.channels(), rate, rate, priming, language);
    }
  }

  private static void requireTimescale(int timescale) {
    if (timescale <= 0) {
      throw new IllegalArgumentException("The timescale is not positive: " + timescale);
    }
  }
}
