package dev.fairlead.media.encode;

import dev.fairlead.media.av.AvException;
import dev.fairlead.media.av.Encoded;
import dev.fairlead.media.av.Source;
import dev.fairlead.media.probe.AudioTrack;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.bytedeco.ffmpeg.avcodec.AVCodecParameters;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avutil;

/** Takes the packets of an audio track over as they are. */
final class AudioCopy {
  private AudioCopy() {}

  /** Whether a track can be taken over: the container takes its codec, and its header is there. */
  static boolean isPossible(AudioSettings settings) {
    String codec = settings.track().codec();
    if (!codec.equals("aac") && !codec.equals("opus")) {
      return false;
    }
    try (Source source = Source.open(settings.path())) {
      return source.stream(settings.track().stream()).codecpar().extradata_size() > 0;
    }
  }

  static EncodedAudio run(AudioSettings settings, Consumer<Encoded> sink, BooleanSupplier stop) {
    AudioTrack track = settings.track();
    AVPacket packet = avcodec.av_packet_alloc();
    int rate = track.codec().equals("opus") ? 48_000 : track.sampleRate();
    long origin = Math.round(settings.from() * rate);
    long end = Double.isInfinite(settings.to()) ? Long.MAX_VALUE : Math.round(settings.to() * rate);
    long shift = Long.MIN_VALUE;
    long next = Long.MIN_VALUE;
    long packets = 0;
    try (Source source = Source.open(settings.path())) {
      source.only(List.of(track.stream()));
      while (source.read(packet)) {
        if (stop.getAsBoolean()) {
          throw new CancellationException("The audio is not wanted any more");
        }
        long duration = Math.max(1, ticks(packet.duration(), track, rate));
        long pts = packet.pts() == avutil.AV_NOPTS_VALUE ? next : ticks(packet.pts(), track, rate);
        next = pts + duration;
        if (packet.stream_index() == track.stream() && next > origin && pts < end) {
          if (shift == Long.MIN_VALUE) {
            shift = Math.min(pts, origin);
          }
          byte[] data = new byte[packet.size()];
          packet.data().position(0).get(data);
          sink.accept(new Encoded(pts - shift, pts - shift, duration, true, data));
          packets++;
        }
        avcodec.av_packet_unref(packet);
      }
      if (packets == 0) {
        throw new AvException("Audio track " + track.stream() + " holds no sound");
      }
      AVCodecParameters codec = source.stream(track.stream()).codecpar();
      byte[] header = new byte[codec.extradata_size()];
      codec.extradata().position(0).get(header);
      return new EncodedAudio(
          track.codec(), header, track.channels(), rate, origin - shift, packets);
    } finally {
      avcodec.av_packet_free(packet);
    }
  }

  private static long ticks(long value, AudioTrack track, int rate) {
    return Math.round(value * track.timeBase().value() * rate);
  }
}
