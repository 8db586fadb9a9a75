package dev.fairlead.media.encode;

import dev.fairlead.media.av.AvException;
import dev.fairlead.media.av.Decoder;
import dev.fairlead.media.av.Encoded;
import dev.fairlead.media.av.Encoder;
import dev.fairlead.media.av.Ffmpeg;
import dev.fairlead.media.av.Filter;
import dev.fairlead.media.av.Picture;
import dev.fairlead.media.av.Source;
import dev.fairlead.media.plan.AudioPlan;
import dev.fairlead.media.settings.AudioSettings;
import dev.fairlead.media.wire.EncodedAudio;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avutil;
import org.jspecify.annotations.Nullable;

/**
 * Encodes one audio track from start to end. Sound begins with the output: what is missing at the
 * start or in between is silence, and what comes before is cut. Where rate, layout or format of the
 * source change, its filter is built anew; what comes out stays the same.
 *
 * <p>Wherever encoding is taken up, all of the track is decoded again, so that every sample is
 * where it was.
 */
final class AudioEncoder {
  private static final int OPUS_RATE = 48_000;
  private static final int NANOS = 1_000_000_000;

  private final AudioSettings settings;
  private final SoundSink sink;
  private final boolean opus;
  private final int rate;
  private final double tick;
  private final SoundClock clock;
  private final SoundRelay relay;
  private @Nullable Filter filter;
  private String kind = "";

  /** Cuts what all filters make into frames. */
  private @Nullable Filter frames;

  private long filtered;
  private long samples;
  private long damaged;

  private AudioEncoder(AudioSettings settings, long first, SoundSink sink) {
    this.settings = settings;
    this.sink = sink;
    this.opus = settings.plan().action() != AudioPlan.Action.AAC;
    this.rate = opus ? OPUS_RATE : aacRate(settings.plan().track().sampleRate());
    this.tick = settings.plan().track().timeBase().value();
    this.clock = new SoundClock(NANOS, Math.round(tick * NANOS));
    this.relay = new SoundRelay(this::open, first, this::encoded);
  }

  static EncodedAudio run(
      AudioSettings settings, long first, SoundSink sink, BooleanSupplier stop) {
    return new AudioEncoder(settings, first, sink).run(stop);
  }

  private static int aacRate(int rate) {
    return rate == 44_100 || rate == 32_000 ? rate : 48_000;
  }

  private EncodedAudio run(BooleanSupplier stop) {
    try (relay) {
      decode(stop);
      if (filter == null) {
        throw new AvException("it holds no sound");
      }
      filter.filter(null, this::filtered);
      if (frames == null) {
        throw new AvException("it holds no sound");
      }
      frames.filter(null, this::framed);
      Encoder encoder = relay.finish();
      AVCodecContext context = encoder.context();
      return new EncodedAudio(
          opus ? "opus" : "aac",
          encoder.header(),
          context.ch_layout().nb_channels(),
          rate,
          context.initial_padding(),
          AudioTracks.notices(clock.repairs(), damaged));
    } finally {
      if (filter != null) {
        filter.close();
      }
      if (frames != null) {
        frames.close();
      }
    }
  }

  private void decode(BooleanSupplier stop) {
    AVPacket packet = avcodec.av_packet_alloc();
    int stream = settings.plan().track().stream();
    try (Source source = Source.open(settings.path());
        Decoder decoder = Decoder.open(source.stream(stream), 1)) {
      source.only(List.of(stream));
      if (settings.from() > 0) {
        source.seek(stream, (long) (settings.from() / tick));
      }
      boolean more = true;
      while (more && source.read(packet)) {
        if (stop.getAsBoolean()) {
          throw new CancellationException("The audio is not wanted any more");
        }
        more = packet.pts() == avutil.AV_NOPTS_VALUE || packet.pts() * tick < settings.to();
        if (more && packet.stream_index() == stream && !decoder.decode(packet, this::decoded)) {
          damaged++;
        }
        avcodec.av_packet_unref(packet);
      }
      decoder.decode(null, this::decoded);
    } finally {
      avcodec.av_packet_free(packet);
    }
  }

  private void decoded(Picture sound) {
    try (sound) {
      AVFrame frame = sound.frame();
      if (frame.nb_samples() <= 0 || frame.sample_rate() <= 0) {
        return;
      }
      long claimed =
          sound.pts() == avutil.AV_NOPTS_VALUE
              ? SoundClock.UNKNOWN
              : Math.round(sound.pts() * tick * NANOS);
      OptionalLong at =
          clock.place(claimed, (long) frame.nb_samples() * NANOS / frame.sample_rate());
      if (at.isEmpty()) {
        return;
      }
      Filter its = filterFor(sound);
      try (Picture placed = sound.at(at.getAsLong())) {
        its.filter(placed, this::filtered);
      }
    }
  }

  /** The filter for such sound; the one before is emptied first. */
  private Filter filterFor(Picture sound) {
    AVFrame frame = sound.frame();
    String its =
        "%d %d %s".formatted(frame.sample_rate(), frame.format(), Ffmpeg.nameOf(frame.ch_layout()));
    if (filter != null && its.equals(kind)) {
      return filter;
    }
    if (filter != null) {
      filter.filter(null, this::filtered);
      filter.close();
      filter = null;
    }
    kind = its;
    long first = Math.round(settings.from() * rate) + filtered;
    String end =
        Double.isInfinite(settings.to())
            ? ""
            : ",atrim=end_pts=" + Math.round(settings.to() * rate);
    String chain =
        "aresample=%d:async=1:first_pts=%d,aformat=sample_fmts=%s:sample_rates=%d:channel_layouts=%s%s"
            .formatted(
                rate,
                first,
                opus ? "flt" : "fltp",
                rate,
                Silence.layout(settings.plan().channels()),
                end);
    Filter made = Filter.audio(sound, 1, NANOS, chain);
    filter = made;
    return made;
  }

  private Encoder open() {
    return Encoder.open(
        opus ? "libopus" : "aac",
        context -> {
          context.sample_rate(rate);
          context.sample_fmt(opus ? avutil.AV_SAMPLE_FMT_FLT : avutil.AV_SAMPLE_FMT_FLTP);
          context.time_base().num(1).den(rate);
          AvException.check(
              "naming the channels",
              avutil.av_channel_layout_from_string(
                  context.ch_layout(), Silence.layout(settings.plan().channels())));
          context.bit_rate(settings.plan().bitRate());
        },
        Map.of());
  }

  private void filtered(Picture sound) {
    try (sound) {
      if (frames == null) {
        int frame;
        try (Encoder asked = open()) {
          frame = asked.context().frame_size();
        }
        long piece = AudioTracks.pieceTicks(rate, frame);
        sink.begin(rate, piece);
        relay.begin(piece, frame);
        frames = Filter.audio(sound, 1, rate, "anull");
        frames.pieces(frame);
      }
      // Filters have cut and padded by the source's clock; from here on samples are counted.
      try (Picture counted = sound.at(filtered)) {
        filtered += sound.frame().nb_samples();
        frames.filter(counted, this::framed);
      }
    }
  }

  private void framed(Picture sound) {
    try (sound;
        Picture counted = sound.at(samples)) {
      samples += sound.frame().nb_samples();
      relay.add(counted);
    }
  }

  private void encoded(Encoded packet) {
    sink.add(new Encoded(packet.pts(), packet.dts(), packet.duration(), true, packet.data()));
  }
}
