package dev.fairlead.media.encode;

import dev.fairlead.media.av.AvException;
import dev.fairlead.media.av.Decoder;
import dev.fairlead.media.av.Encoded;
import dev.fairlead.media.av.Encoder;
import dev.fairlead.media.av.Filter;
import dev.fairlead.media.av.Picture;
import dev.fairlead.media.av.Source;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avutil;
import org.jspecify.annotations.Nullable;

/**
 * Encodes one audio track from start to end: encoders of sound carry state, so a track is one piece
 * of work. Sound begins with the output: what is missing at the start or in between is silence, and
 * what comes before is cut.
 */
final class AudioEncoder {
  private static final int OPUS_RATE = 48_000;

  private final AudioSettings settings;
  private final Consumer<Encoded> sink;
  private final BooleanSupplier stop;
  private final boolean opus;
  private final int rate;
  private @Nullable Filter filter;
  private @Nullable Encoder encoder;
  private long samples;
  private long packets;

  private AudioEncoder(AudioSettings settings, Consumer<Encoded> sink, BooleanSupplier stop) {
    this.settings = settings;
    this.sink = sink;
    this.stop = stop;
    this.opus = settings.action() == AudioSettings.Action.OPUS;
    this.rate = opus ? OPUS_RATE : aacRate(settings.track().sampleRate());
  }

  static EncodedAudio run(AudioSettings settings, Consumer<Encoded> sink, BooleanSupplier stop) {
    return new AudioEncoder(settings, sink, stop).run();
  }

  private static int aacRate(int rate) {
    return rate == 44_100 || rate == 32_000 ? rate : 48_000;
  }

  private EncodedAudio run() {
    AVPacket packet = avcodec.av_packet_alloc();
    int stream = settings.track().stream();
    try (Source source = Source.open(settings.path());
        Decoder decoder = Decoder.open(source.stream(stream), 1)) {
      source.only(List.of(stream));
      if (settings.from() > 0) {
        source.seek(stream, (long) (settings.from() / settings.track().timeBase().value()));
      }
      boolean more = true;
      while (more && source.read(packet)) {
        if (stop.getAsBoolean()) {
          throw new CancellationException("The audio is not wanted any more");
        }
        more = packet.pts() * settings.track().timeBase().value() < settings.to();
        if (more && packet.stream_index() == stream) {
          decoder.decode(packet, this::decoded);
        }
        avcodec.av_packet_unref(packet);
      }
      decoder.decode(null, this::decoded);
      if (filter == null || encoder == null) {
        throw new AvException("Audio track " + stream + " holds no sound");
      }
      filter.filter(null, this::filtered);
      encoder.encode(null, this::encoded);
      AVCodecContext context = encoder.context();
      return new EncodedAudio(
          opus ? "opus" : "aac",
          encoder.header(),
          context.ch_layout().nb_channels(),
          rate,
          context.initial_padding(),
          packets);
    } finally {
      avcodec.av_packet_free(packet);
      if (filter != null) {
        filter.close();
      }
      if (encoder != null) {
        encoder.close();
      }
    }
  }

  private void decoded(Picture sound) {
    try (sound) {
      if (filter == null) {
        begin(sound);
      }
      if (filter != null) {
        filter.filter(sound, this::filtered);
      }
    }
  }

  private void begin(Picture like) {
    String layout = layout(like.frame().ch_layout().nb_channels());
    long first = Math.round(settings.from() * rate);
    String end =
        Double.isInfinite(settings.to())
            ? ""
            : ",atrim=end_pts=" + Math.round(settings.to() * rate);
    String chain =
        "aresample=%d:async=1:first_pts=%d,aformat=sample_fmts=%s:sample_rates=%d:channel_layouts=%s%s"
            .formatted(rate, first, opus ? "flt" : "fltp", rate, layout, end);
    filter =
        Filter.audio(
            like, settings.track().timeBase().num(), settings.track().timeBase().den(), chain);
    encoder =
        Encoder.open(
            opus ? "libopus" : "aac",
            context -> {
              context.sample_rate(rate);
              context.sample_fmt(opus ? avutil.AV_SAMPLE_FMT_FLT : avutil.AV_SAMPLE_FMT_FLTP);
              context.time_base().num(1).den(rate);
              context.bit_rate(settings.bitRate());
              AvException.check(
                  "naming the channels",
                  avutil.av_channel_layout_from_string(context.ch_layout(), layout));
            },
            Map.of());
    filter.pieces(encoder.context().frame_size());
  }

  /** The layouts that both encoders take; anything else is mixed to the next that has room. */
  private static String layout(int channels) {
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

  private void filtered(Picture sound) {
    // The filter has cut and padded by the source's clock; from here on samples are counted.
    try (sound;
        Picture counted = sound.at(samples)) {
      samples += sound.frame().nb_samples();
      if (encoder != null) {
        encoder.encode(counted, this::encoded);
      }
    }
  }

  private void encoded(Encoded packet) {
    packets++;
    long skip = encoder == null ? 0 : encoder.context().initial_padding();
    sink.accept(
        new Encoded(
            packet.pts() + skip, packet.dts() + skip, packet.duration(), true, packet.data()));
  }
}
