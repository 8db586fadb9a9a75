package dev.fairlead.media.pack;

import dev.fairlead.media.source.Colour;
import java.util.Locale;
import java.util.MissingResourceException;

/** Writes what {@code moov} says about one track, for fragmented and progressive files alike. */
final class TrackBoxes {
  private static final int[] IDENTITY = {0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000};
  private static final int HALF_INCH = 0x00480000;

  /**
   * What is known of a track as a whole.
   *
   * @param movieDuration in ticks of the movie
   * @param mediaDuration in ticks of the track
   */
  record Whole(long movieDuration, long mediaDuration, BitRates rates) {}

  private final Boxes out;

  TrackBoxes(Boxes out) {
    this.out = out;
  }

  void movieHeader(int timescale, long duration, int nextTrack) {
    out.fullBox(
        "mvhd",
        1,
        0,
        () -> {
          out.zeros(16).u32(timescale).u64(duration);
          out.u32(0x10000).u16(0x100).zeros(10);
          matrix();
          out.zeros(24).u32(nextTrack);
        });
  }

  /** A whole {@code trak}; {@code edits} and {@code tables} write edit list and sample tables. */
  void track(int id, TrackFormat format, Whole whole, Runnable edits, Runnable tables) {
    out.box(
        "trak",
        () -> {
          trackHeader(id, format, whole.movieDuration);
          edits.run();
          out.box("mdia", () -> media(format, whole, tables));
        });
  }

  private void trackHeader(int id, TrackFormat format, long duration) {
    out.fullBox(
        "tkhd",
        1,
        3, // enabled, in the movie
        () -> {
          out.zeros(16).u32(id).u32(0).u64(duration).zeros(8).u16(0);
          out.u16(format instanceof TrackFormat.Audio ? 1 : 0); // alternate group
          out.u16(format instanceof TrackFormat.Audio ? 0x100 : 0).u16(0);
          matrix();
          switch (format) {
            case TrackFormat.Video video ->
                out.u32((long) video.displayWidth() << 16).u32((long) video.height() << 16);
            case TrackFormat.Audio _ -> out.zeros(8);
          }
        });
  }

  private void media(TrackFormat format, Whole whole, Runnable tables) {
    boolean video = format instanceof TrackFormat.Video;
    String language = format instanceof TrackFormat.Audio audio ? audio.language() : "";
    out.fullBox(
        "mdhd",
        1,
        0,
        () ->
            out.zeros(16)
                .u32(format.timescale())
                .u64(whole.mediaDuration)
                .u16(packedLanguage(language))
                .u16(0));
    out.fullBox(
        "hdlr",
        0,
        0,
        () ->
            out.u32(0)
                .ascii(video ? "vide" : "soun")
                .zeros(12)
                .ascii(video ? "VideoHandler" : "SoundHandler")
                .u8(0));
    out.box(
        "minf",
        () -> {
          if (video) {
            out.fullBox("vmhd", 0, 1, () -> out.zeros(8));
          } else {
            out.fullBox("smhd", 0, 0, () -> out.zeros(4));
          }
          out.box(
              "dinf",
              () -> out.fullBox("dref", 0, 0, () -> out.u32(1).fullBox("url ", 0, 1, () -> {})));
          out.box(
              "stbl",
              () -> {
                out.fullBox("stsd", 0, 0, () -> sampleEntry(format, whole.rates));
                tables.run();
              });
        });
  }

  private void sampleEntry(TrackFormat format, BitRates rates) {
    out.u32(1)
        .box(
            format.config().sampleEntry(),
            () -> {
              out.zeros(6).u16(1);
              switch (format) {
                case TrackFormat.Video video -> picture(video);
                case TrackFormat.Audio audio -> sound(audio);
              }
              rates.write(out);
            });
  }

  private void picture(TrackFormat.Video video) {
    out.zeros(16).u16(video.width()).u16(video.height());
    out.u32(HALF_INCH).u32(HALF_INCH).u32(0).u16(1).zeros(32).u16(0x18).u16(0xffff);
    out.box(video.config().boxType(), video.config().body());
    Colour colour = video.colour();
    out.box(
        "colr",
        () ->
            out.ascii("nclx")
                .u16(colour.primaries())
                .u16(colour.transfer())
                .u16(colour.matrix())
                .u8(colour.fullRange() ? 0x80 : 0));
    out.box("pasp", () -> out.u32(video.pixelAspect().num()).u32(video.pixelAspect().den()));
    if (!video.mastering().display().isEmpty()) {
      out.box("mdcv", video.mastering().displayBytes());
    }
    if (!video.mastering().light().isEmpty()) {
      out.box("clli", video.mastering().lightBytes());
    }
  }

  private void sound(TrackFormat.Audio audio) {
    int rate = audio.sampleRate() <= 0xffff ? audio.sampleRate() : 0;
    out.zeros(8).u16(audio.channels()).u16(16).zeros(4).u32((long) rate << 16);
    out.box(audio.config().boxType(), audio.config().body());
  }

  private void matrix() {
    for (int value : IDENTITY) {
      out.u32(value);
    }
  }

  /** Three letters of five bits (ISO 639-2); {@code und} if the tag is none. */
  static int packedLanguage(String tag) {
    String letters = "und";
    try {
      String known = Locale.forLanguageTag(tag.strip().replace('_', '-')).getISO3Language();
      if (known.matches("[a-z]{3}")) {
        letters = known;
      }
    } catch (MissingResourceException e) {
      // a tag that is not registered
    }
    return (letters.charAt(0) - 0x60) << 10
        | (letters.charAt(1) - 0x60) << 5
        | (letters.charAt(2) - 0x60);
  }
}
