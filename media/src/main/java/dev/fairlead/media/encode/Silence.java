package dev.fairlead.media.encode;

import dev.fairlead.media.av.AvException;
import dev.fairlead.media.av.Encoded;
import dev.fairlead.media.av.Encoder;
import dev.fairlead.media.av.Filter;
import dev.fairlead.media.av.Picture;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.global.avutil;

/**
 * A packet in which nothing is heard, for gaps in a track that is copied.
 *
 * @param data what a file holds
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, never changed or compared
record Silence(byte[] data) {
  private static final int FRAMES = 4;

  /** The layouts that both encoders take; anything else is mixed to the next that has room. */
  static String layout(int channels) {
    return switch (channels) {
      case 1 -> "mono";
      case 2 -> "stereo";
      case 3 -> "3.0";
      case 4 -> "quad";
      case 5 -> "5.0";
      case 6 -> "5.1";
      default -> channels <= 0 ? "stereo" : "7.1";
    };
  }

  /** Silence that fits into a track; empty if none can be made. */
  static Optional<Silence> of(String codec, int rate, int channels) {
    boolean opus = codec.equals("opus");
    if (opus && channels > 2) {
      return Optional.empty(); // what a packet holds depends on the track's own mapping
    }
    String format = opus ? "flt" : "fltp";
    try (Encoder encoder =
        Encoder.open(
            opus ? "libopus" : "aac",
            context -> describe(context, rate, layout(channels), format),
            Map.of())) {
      int frame = encoder.context().frame_size();
      String chain =
          "anullsrc=r=%d:cl=%s:n=%d,atrim=end_sample=%d,aformat=sample_fmts=%s"
              .formatted(rate, layout(channels), frame, FRAMES * frame, format);
      List<Encoded> packets = new ArrayList<>();
      try (Filter source = Filter.source(chain, false)) {
        for (Picture next = source.pull(); next != null; next = source.pull()) {
          try (Picture sound = next) {
            encoder.encode(sound, packets::add);
          }
        }
      }
      encoder.encode(null, packets::add);
      return packets.size() < FRAMES
          ? Optional.empty()
          : Optional.of(new Silence(packets.get(FRAMES - 2).data()));
    } catch (AvException impossible) {
      return Optional.empty();
    }
  }

  private static void describe(AVCodecContext context, int rate, String layout, String format) {
    context.sample_rate(rate);
    context.sample_fmt(avutil.av_get_sample_fmt(format));
    context.time_base().num(1).den(rate);
    AvException.check(
        "naming the channels", avutil.av_channel_layout_from_string(context.ch_layout(), layout));
  }
}
