package dev.fairlead.media.prepare;

import dev.fairlead.media.codec.CodecConfig;
import java.util.HexFormat;

/** A promise as an encoder makes one. */
final class TestingPromises {
  /** What x264 writes for 1280×720, high profile, level 3.1. */
  private static final String AVC =
      "000000016764001facd9405005bb016a02020280000003008000001e078c18cb0000000168ebe3cb22c0";

  private TestingPromises() {}

  static CodecConfig.Picture picture() {
    return CodecConfig.Avc.of(HexFormat.of().parseHex(AVC));
  }
}
