package dev.fairlead.media.inspect;

import dev.fairlead.media.av.AvException;
import dev.fairlead.media.av.Decoder;
import dev.fairlead.media.av.Picture;
import dev.fairlead.media.av.Source;
import dev.fairlead.media.source.Mastering;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.bytedeco.ffmpeg.avcodec.AVCodecParameters;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avcodec.AVPacketSideData;
import org.bytedeco.ffmpeg.avutil.AVContentLightMetadata;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.avutil.AVFrameSideData;
import org.bytedeco.ffmpeg.avutil.AVMasteringDisplayMetadata;
import org.bytedeco.ffmpeg.avutil.AVRational;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avutil;
import org.bytedeco.javacpp.BytePointer;
import org.jspecify.annotations.Nullable;

/** Reads what a file, or the stream in it, says about the mastering of its HDR video. */
final class HdrMetadata {
  private static final int[] GREEN_BLUE_RED = {1, 2, 0};
  private static final double CHROMATICITY = 50_000;
  private static final double LUMINANCE = 10_000;
  private static final int WORD = 0xffff;

  /** So many packets may come before the first picture. */
  private static final int PACKETS = 100;

  private static final int DISPLAY_BYTES = 24;
  private static final int LIGHT_BYTES = 4;

  private HdrMetadata() {}

  /** What the container says. */
  static Mastering of(AVCodecParameters codec) {
    return Mastering.of(
        display(sideData(codec, avcodec.AV_PKT_DATA_MASTERING_DISPLAY_METADATA)),
        light(sideData(codec, avcodec.AV_PKT_DATA_CONTENT_LIGHT_LEVEL)));
  }

  /** What the stream says with a picture. */
  private static Mastering of(AVFrame frame) {
    return Mastering.of(
        display(sideData(frame, avutil.AV_FRAME_DATA_MASTERING_DISPLAY_METADATA)),
        light(sideData(frame, avutil.AV_FRAME_DATA_CONTENT_LIGHT_LEVEL)));
  }

  /** What the stream of a source says with its first picture; nothing if that cannot be decoded. */
  static Mastering ofStream(Path path, int stream) {
    Mastering[] found = new Mastering[1];
    AVPacket packet = avcodec.av_packet_alloc();
    try (Source source = Source.open(path);
        Decoder decoder = Decoder.open(source.stream(stream), 1)) {
      source.only(List.of(stream));
      for (int seen = 0; seen < PACKETS && found[0] == null && source.read(packet); seen++) {
        decoder.decode(packet, picture -> see(picture, found));
        avcodec.av_packet_unref(packet);
      }
    } catch (AvException undecodable) {
      return Mastering.none();
    } finally {
      avcodec.av_packet_free(packet);
    }
    return found[0] == null ? Mastering.none() : found[0];
  }

  private static void see(Picture picture, Mastering[] found) {
    try (picture) {
      if (found[0] == null) {
        found[0] = of(picture.frame());
      }
    }
  }

  private static byte[] display(@Nullable BytePointer data) {
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

  private static byte[] light(@Nullable BytePointer data) {
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

  private static @Nullable BytePointer sideData(AVFrame frame, int type) {
    AVFrameSideData side = avutil.av_frame_get_side_data(frame, type);
    return side == null || side.isNull() ? null : side.data();
  }

  private static long scaled(AVRational value, double unit, long most) {
    double ratio = value.den() == 0 ? 0 : (double) value.num() / value.den();
    return Math.clamp(Math.round(ratio * unit), 0, most);
  }
}
