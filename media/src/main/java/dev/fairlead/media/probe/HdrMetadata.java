package dev.fairlead.media.probe;

import java.nio.ByteBuffer;
import org.bytedeco.ffmpeg.avcodec.AVCodecParameters;
import org.bytedeco.ffmpeg.avcodec.AVPacketSideData;
import org.bytedeco.ffmpeg.avutil.AVContentLightMetadata;
import org.bytedeco.ffmpeg.avutil.AVMasteringDisplayMetadata;
import org.bytedeco.ffmpeg.avutil.AVRational;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.javacpp.BytePointer;
import org.jspecify.annotations.Nullable;

/** Reads what a file says about the mastering of its HDR video. */
final class HdrMetadata {
  private static final int[] GREEN_BLUE_RED = {1, 2, 0};
  private static final double CHROMATICITY = 50_000;
  private static final double LUMINANCE = 10_000;
  private static final int WORD = 0xffff;
  private static final int DISPLAY_BYTES = 24;
  private static final int LIGHT_BYTES = 4;

  private HdrMetadata() {}

  static Mastering of(AVCodecParameters codec) {
    return Mastering.of(display(codec), light(codec));
  }

  private static byte[] display(AVCodecParameters codec) {
    BytePointer data = sideData(codec, avcodec.AV_PKT_DATA_MASTERING_DISPLAY_METADATA);
    if (data == null) {
      return new byte[0];
    }
    AVMasteringDisplayMetadata display = new AVMasteringDisplayMetadata(data);
    if (display.has_primaries() == 0 || display.has_luminance() == 0) {
      return new byte[0];
    }
    ByteBuffer box = ByteBuffer.allocate(DISPLAY_BYTES);
    for (int colour : GREEN_BLUE_RED) {
      box.putShort((short) scaled(display.display_primaries(colour, 0), CHROMATICITY, WORD));
      box.putShort((short) scaled(display.display_primaries(colour, 1), CHROMATICITY, WORD));
    }
    box.putShort((short) scaled(display.white_point(0), CHROMATICITY, WORD));
    box.putShort((short) scaled(display.white_point(1), CHROMATICITY, WORD));
    box.putInt((int) scaled(display.max_luminance(), LUMINANCE, Integer.MAX_VALUE));
    box.putInt((int) scaled(display.min_luminance(), LUMINANCE, Integer.MAX_VALUE));
    return box.array();
  }

  private static byte[] light(AVCodecParameters codec) {
    BytePointer data = sideData(codec, avcodec.AV_PKT_DATA_CONTENT_LIGHT_LEVEL);
    if (data == null) {
      return new byte[0];
    }
    AVContentLightMetadata light = new AVContentLightMetadata(data);
    return ByteBuffer.allocate(LIGHT_BYTES)
        .putShort((short) Math.min(WORD, light.MaxCLL()))
        .putShort((short) Math.min(WORD, light.MaxFALL()))
        .array();
  }

  private static @Nullable BytePointer sideData(AVCodecParameters codec, int type) {
    AVPacketSideData side =
        avcodec.av_packet_side_data_get(codec.coded_side_data(), codec.nb_coded_side_data(), type);
    return side == null || side.isNull() ? null : side.data();
  }

  private static long scaled(AVRational value, double unit, long most) {
    double ratio = value.den() == 0 ? 0 : (double) value.num() / value.den();
    return Math.clamp(Math.round(ratio * unit), 0, most);
  }
}
