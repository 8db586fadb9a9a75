package dev.fairlead.media.av;

import java.nio.charset.StandardCharsets;
import org.bytedeco.ffmpeg.avutil.AVChannelLayout;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avutil;
import org.bytedeco.javacpp.BytePointer;

/** The library as a whole. */
public final class Ffmpeg {
  private static final int LAYOUT_NAME = 128;

  /** The libavcodec of FFmpeg 8.1, 62.28. */
  private static final int FIRST_WITH_SVT_4 = 62 << 16 | 28 << 8;

  private static final boolean QUIET = quieten();

  private Ffmpeg() {}

  /** Loads the library; what it has to say goes into exceptions, not to the screen. */
  static void load() {
    if (!QUIET) {
      throw new IllegalStateException("FFmpeg was not loaded");
    }
  }

  private static boolean quieten() {
    SystemDrivers.load();
    ErrorLog.install();
    avutil.av_max_alloc(Limits.piece());
    return true;
  }

  /** Its version, and that of the codecs: encoded bytes depend on it. */
  public static String version() {
    load();
    int codec = avcodec.avcodec_version();
    return "%s (libavcodec %d.%d.%d)"
        .formatted(
            avutil.av_version_info().getString(), codec >> 16, (codec >> 8) & 255, codec & 255);
  }

  /** Whether the SVT-AV1 that it brings can have several encoders in a process. */
  public static boolean isSafeWithSeveralSvt() {
    load();
    return avcodec.avcodec_version() >= FIRST_WITH_SVT_4;
  }

  /** What FFmpeg calls a channel layout, such as {@code 5.1}. */
  public static String nameOf(AVChannelLayout layout) {
    byte[] name = new byte[LAYOUT_NAME];
    try (BytePointer text = new BytePointer(LAYOUT_NAME)) {
      avutil.av_channel_layout_describe(layout, text, LAYOUT_NAME);
      text.get(name);
    }
    int end = 0;
    while (end < name.length && name[end] != 0) {
      end++;
    }
    return new String(name, 0, end, StandardCharsets.UTF_8);
  }
}
