package dev.fairlead.media.pack;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The playlist of one track (RFC 8216, section 4.3.3). */
final class MediaPlaylist {
  private static final double MICROS = 1e6;

  private MediaPlaylist() {}

  /** Lists {@code segments}, after the init segment {@code init} unless that is empty. */
  static String text(String init, List<Segment> segments, int targetSeconds) {
    StringBuilder out = new StringBuilder("#EXTM3U\n#EXT-X-VERSION:7\n");
    out.append("#EXT-X-TARGETDURATION:").append(targetSeconds).append('\n');
    out.append("#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-PLAYLIST-TYPE:VOD\n");
    out.append("#EXT-X-INDEPENDENT-SEGMENTS\n");
    if (!init.isEmpty()) {
      out.append("#EXT-X-MAP:URI=\"").append(PlaylistText.uri(init)).append("\"\n");
    }
    // Each end is rounded, not each duration, so that errors do not add up.
    long from = 0;
    double seconds = 0;
    for (Segment segment : segments) {
      seconds += segment.seconds();
      long to = Math.round(seconds * MICROS);
      out.append(String.format(Locale.ROOT, "#EXTINF:%.6f,\n", (to - from) / MICROS));
      out.append(PlaylistText.uri(segment.name())).append('\n');
      from = to;
    }
    return out.append("#EXT-X-ENDLIST\n").toString();
  }

  static void write(Publication publication, Path file, String text) {
    AtomicFile.write(publication, file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** The longest duration, to the nearest second (RFC 8216, section 4.3.3.1). */
  static int targetSeconds(Stream<Segment> segments) {
    double longest = segments.mapToDouble(Segment::seconds).max().orElse(1);
    // A duration is written in microseconds, and may have been rounded up to the half.
    return (int) Math.max(1, Math.round(longest + 1 / MICROS));
  }

  /**
   * Bits per second of the densest run of segments that lasts half to one and a half target
   * durations (RFC 8216, section 4.1): a short last segment is not a peak of its own.
   */
  static long peakBitrate(List<Segment> segments, int target) {
    double peak = 0;
    for (int from = 0; from < segments.size(); from++) {
      double seconds = 0;
      long bytes = 0;
      for (int i = from; i < segments.size() && seconds <= 1.5 * target; i++) {
        seconds += segments.get(i).seconds();
        bytes += segments.get(i).bytes();
        if (seconds >= 0.5 * target && seconds <= 1.5 * target) {
          peak = Math.max(peak, bytes * 8 / seconds);
        }
      }
    }
    return Math.max((long) Math.ceil(peak), averageBitrate(segments));
  }

  static long averageBitrate(List<Segment> segments) {
    double seconds = segments.stream().mapToDouble(Segment::seconds).sum();
    long bytes = segments.stream().mapToLong(Segment::bytes).sum();
    return seconds > 0 ? (long) Math.ceil(bytes * 8 / seconds) : 0;
  }
}
