package dev.fairlead.media.encode;

import dev.fairlead.media.av.AvException;
import dev.fairlead.media.av.Encoded;
import dev.fairlead.media.av.Source;
import dev.fairlead.media.codec.AdtsFrame;
import dev.fairlead.media.codec.CodecConfig;
import dev.fairlead.media.codec.OpusPacket;
import dev.fairlead.media.codec.UnreadableHeaderException;
import dev.fairlead.media.settings.AudioSettings;
import dev.fairlead.media.source.AudioTrack;
import dev.fairlead.media.wire.EncodedAudio;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.bytedeco.ffmpeg.avcodec.AVCodecParameters;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avutil;
import org.jspecify.annotations.Nullable;

/**
 * Takes the packets of an audio track over as they are. How long one lasts is what its codec says;
 * what is missing at the start or in between is silence. Of what comes before the output, as much
 * is kept as a decoder needs to be right from the start.
 */
final class AudioCopy {
  private static final int OPUS_RATE = 48_000;
  private static final int AAC_FRAME = 1_024;

  /** The share of a second before the start that is kept. */
  private static final int LEAD = 8;

  /** More than any packet of these codecs has. */
  private static final int MOST_BYTES = 1 << 16;

  private final AudioSettings settings;
  private final AudioTrack track;
  private final SoundSink sink;
  private final boolean opus;
  private final int rate;
  private final long origin;
  private final long end;
  private final SoundClock clock;
  private byte[] header = new byte[0];
  private int frame;
  private int padding;
  private @Nullable Encoded held;
  private Optional<Silence> silence = Optional.empty();
  private long first = Long.MAX_VALUE;
  private long packets;
  private boolean heard;

  private AudioCopy(AudioSettings settings, SoundSink sink) {
    this.settings = settings;
    this.track = settings.plan().track();
    this.sink = sink;
    this.opus = track.codec().equals("opus");
    this.rate = opus ? OPUS_RATE : track.sampleRate();
    this.origin = Math.round(settings.from() * rate);
    this.end = Double.isInfinite(settings.to()) ? Long.MAX_VALUE : Math.round(settings.to() * rate);
    this.clock = new SoundClock(rate, ticks(1));
  }

  static EncodedAudio run(AudioSettings settings, SoundSink sink, BooleanSupplier stop) {
    return new AudioCopy(settings, sink).run(stop);
  }

  private EncodedAudio run(BooleanSupplier stop) {
    AVPacket packet = avcodec.av_packet_alloc();
    try (Source source = Source.open(settings.path())) {
      describe(source.stream(track.stream()).codecpar());
      sink.begin(rate, AudioTracks.pieceTicks(rate, frame));
      source.only(List.of(track.stream()));
      while (source.read(packet)) {
        if (stop.getAsBoolean()) {
          throw new CancellationException("The audio is not wanted any more");
        }
        if (packet.stream_index() == track.stream() && packet.size() > 0) {
          take(packet);
        }
        avcodec.av_packet_unref(packet);
      }
    } finally {
      avcodec.av_packet_free(packet);
    }
    if (!heard) {
      throw new AvException("it holds no sound");
    }
    hand(Long.MAX_VALUE);
    return new EncodedAudio(
        track.codec(),
        header,
        track.channels(),
        rate,
        Math.max(0, -first),
        AudioTracks.notices(clock.repairs(), 0));
  }

  private void describe(AVCodecParameters codec) {
    frame = opus ? OPUS_RATE / 50 : codec.frame_size() > 0 ? codec.frame_size() : AAC_FRAME;
    padding = codec.initial_padding();
    // A frame of two thousand samples is one of a thousand at half the rate, for its decoder.
    int coded = opus ? rate : (int) ((long) rate * AAC_FRAME / frame);
    silence = Silence.of(track.codec(), coded, track.channels());
    header = new byte[Math.max(0, codec.extradata_size())];
    if (header.length > 0) {
      codec.extradata().position(0).get(header);
      check(header);
    } else if (opus) {
      throw new NotCopied("its header is missing");
    }
  }

  private void check(byte[] its) {
    try {
      CodecConfig.of(track.codec(), its, new byte[0]);
    } catch (UnreadableHeaderException unreadable) {
      throw new NotCopied(String.valueOf(unreadable.getMessage()));
    }
  }

  private void take(AVPacket packet) {
    if (packet.size() > MOST_BYTES) {
      throw new NotCopied("it has a packet of " + packet.size() + " bytes");
    }
    byte[] data = new byte[packet.size()];
    packet.data().position(0).get(data);
    if (!opus && AdtsFrame.isFramed(data)) {
      data = unframed(data);
    }
    if (header.length == 0) {
      throw new NotCopied("its header is missing");
    }
    long samples = samples(packet, data);
    OptionalLong at = clock.place(time(packet.pts()), samples);
    if (at.isEmpty() || at.getAsLong() >= end) {
      return;
    }
    long pts = at.getAsLong() - origin;
    if (pts + samples > -rate / LEAD) {
      heard |= pts + samples > 0;
      fill(pts);
      hold(new Encoded(pts, pts, samples, true, data));
    }
  }

  private byte[] unframed(byte[] data) {
    try {
      AdtsFrame unframed = AdtsFrame.of(data);
      if (header.length == 0) {
        header = unframed.config();
        check(header);
      } else if (!Arrays.equals(header, unframed.config())) {
        throw new NotCopied("its channels or its rate change");
      }
      return unframed.data();
    } catch (UnreadableHeaderException rare) {
      throw new NotCopied(String.valueOf(rare.getMessage()));
    }
  }

  /** By its codec; only ticks that are samples know better, as of the last packet. */
  private long samples(AVPacket packet, byte[] data) {
    long its = opus ? OpusPacket.samples(data) : frame;
    boolean exact = track.timeBase().num() == 1 && track.timeBase().den() == rate;
    return exact && packet.duration() > 0 && packet.duration() < its
        ? packet.duration()
        : Math.max(1, its);
  }

  /** The first packet begins before 0 by what primes the decoder, which files round. */
  private long time(long pts) {
    if (pts == avutil.AV_NOPTS_VALUE) {
      return SoundClock.UNKNOWN;
    }
    long its = ticks(pts);
    boolean primes = packets == 0 && held == null && padding > 0;
    return primes && Math.abs(its + padding) <= ticks(1) ? -padding : its;
  }

  private long ticks(long value) {
    return Math.round(value * track.timeBase().value() * rate);
  }

  /** Puts silence between what is there and a packet, in whole packets. */
  private void fill(long until) {
    long from = held == null ? 0 : held.pts() + held.duration();
    if (until - from < frame) {
      return;
    }
    if (silence.isPresent()) {
      for (long at = from; until - at >= frame; at += frame) {
        hold(new Encoded(at, at, frame, true, silence.get().data()));
      }
    }
  }

  /** A packet lasts until the next one begins. */
  private void hold(Encoded next) {
    hand(next.pts());
    held = next;
  }

  private void hand(long next) {
    if (held != null) {
      first = Math.min(first, held.pts());
      long duration = next == Long.MAX_VALUE ? held.duration() : next - held.pts();
      sink.add(new Encoded(held.pts(), held.dts(), duration, true, held.data()));
      packets++;
    }
  }
}
