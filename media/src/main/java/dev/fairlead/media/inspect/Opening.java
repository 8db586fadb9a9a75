package dev.fairlead.media.inspect;

import dev.fairlead.media.av.Source;
import dev.fairlead.media.source.Rational;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avutil;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.SizeTPointer;

/**
 * The first packets of a stream, which say what its header does not, or says wrongly.
 *
 * @param empty whether there is none
 * @param encrypted whether the first one says how it is encrypted
 * @param first when the first picture is shown, in ticks, if it comes first and is a key; the
 *     latest time there is if that is not known
 * @param gap how far pictures that follow one another are apart, in ticks: the median; zero if that
 *     is not known
 */
record Opening(boolean empty, boolean encrypted, long first, long gap) {
  private static final int PACKETS = 40;

  /** A claim that is off by more than this is not true; fields may well count as frames. */
  private static final double OFF = 2.5;

  private static final int ONE_HOUR = 3_600;

  static Opening of(Source source, int stream) {
    List<Long> times = new ArrayList<>();
    boolean encrypted = false;
    long first = Long.MAX_VALUE;
    int seen = 0;
    AVPacket packet = avcodec.av_packet_alloc();
    try {
      source.only(List.of(stream));
      while (seen < PACKETS && source.read(packet)) {
        if (packet.stream_index() == stream) {
          boolean timed = packet.pts() != avutil.AV_NOPTS_VALUE;
          if (seen == 0) {
            encrypted = isEncrypted(packet);
            first = timed && isShownKey(packet) ? packet.pts() : first;
          }
          seen++;
          if (timed) {
            times.add(packet.pts());
          }
        }
        avcodec.av_packet_unref(packet);
      }
    } finally {
      avcodec.av_packet_free(packet);
    }
    return new Opening(seen == 0, encrypted, first, gap(times));
  }

  private static boolean isEncrypted(AVPacket packet) {
    BytePointer found =
        avcodec.av_packet_get_side_data(
            packet, avcodec.AV_PKT_DATA_ENCRYPTION_INFO, (SizeTPointer) null);
    return found != null && !found.isNull();
  }

  private static boolean isShownKey(AVPacket packet) {
    int key = avcodec.AV_PKT_FLAG_KEY;
    return (packet.flags() & (key | avcodec.AV_PKT_FLAG_DISCARD)) == key;
  }

  private static long gap(List<Long> times) {
    List<Long> sorted = times.stream().sorted().distinct().toList();
    List<Long> gaps = new ArrayList<>();
    for (int i = 1; i < sorted.size(); i++) {
      gaps.add(sorted.get(i) - sorted.get(i - 1));
    }
    gaps.sort(null);
    return gaps.isEmpty() ? 0 : gaps.get(gaps.size() / 2);
  }

  /** The frame rate: what is claimed, unless the timestamps show that it is not true. */
  Rational frameRate(Rational claimed, Rational timeBase) {
    double seconds = gap * timeBase.value();
    if (gap <= 0 || seconds > ONE_HOUR || gap > Integer.MAX_VALUE / timeBase.num()) {
      return claimed;
    }
    double ratio = claimed.num() <= 0 ? 0 : claimed.value() * seconds;
    return ratio > OFF || ratio < 1 / OFF
        ? new Rational(timeBase.den(), Math.toIntExact(gap * timeBase.num()))
        : claimed;
  }
}
