package dev.fairlead.media.pack;

import dev.fairlead.media.codec.CodecConfig;

/**
 * The file that comes before the segments of a track: a {@code moov} without samples (CMAF). What
 * it says of them is known when the last one is written.
 */
final class InitSegment {
  static final int TRACK = 1;

  private InitSegment() {}

  static byte[] bytes(TrackFormat format, BitRates rates, Roll roll) {
    Boxes out = new Boxes();
    out.box(
        "ftyp",
        () -> {
          out.ascii("iso6").u32(0).ascii("iso6").ascii("cmfc");
          if (format instanceof TrackFormat.Video) {
            out.ascii("cmf2"); // composition offsets are signed
          }
          switch (format.config()) {
            case CodecConfig.Av1 _ -> out.ascii("av01");
            case CodecConfig.Avc _ -> out.ascii("avc1");
            case CodecConfig.Hevc _ -> out.ascii("hvc1");
            case CodecConfig.Aac _ -> out.ascii("caac");
            case CodecConfig.Opus _ -> {}
          }
        });
    TrackBoxes boxes = new TrackBoxes(out);
    out.box(
        "moov",
        () -> {
          boxes.movieHeader(format.timescale(), 0, TRACK + 1);
          boxes.track(
              TRACK,
              format,
              new TrackBoxes.Whole(0, 0, rates),
              () -> edits(out, format),
              () -> emptyTables(out, roll));
          out.box(
              "mvex",
              () -> out.fullBox("trex", 0, 0, () -> out.u32(TRACK).u32(1).u32(0).u32(0).u32(0)));
        });
    return out.toByteArray();
  }

  /** Sound that the encoder put before the start is decoded but not played. */
  private static void edits(Boxes out, TrackFormat format) {
    if (format.priming() > 0) {
      out.box(
          "edts",
          () ->
              out.fullBox(
                  "elst", 1, 0, () -> out.u32(1).u64(0).u64(format.priming()).u16(1).u16(0)));
    }
  }

  private static void emptyTables(Boxes out, Roll roll) {
    out.fullBox("stts", 0, 0, () -> out.u32(0));
    out.fullBox("stsc", 0, 0, () -> out.u32(0));
    out.fullBox("stsz", 0, 0, () -> out.u32(0).u32(0));
    out.fullBox("stco", 0, 0, () -> out.u32(0));
    roll.describe(out);
  }
}
