package dev.fairlead.media.decode;

import dev.fairlead.media.av.AvException;
import dev.fairlead.media.av.Decoder;
import dev.fairlead.media.av.Source;
import dev.fairlead.media.wire.Caption;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avcodec.AVSubtitle;
import org.bytedeco.ffmpeg.avcodec.AVSubtitleRect;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avutil;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.IntPointer;

/** Reads the text of a subtitle track, from a source that may be hostile. */
public final class SubtitleReading {
  private static final long UNKNOWN = 0xFFFF_FFFFL;
  private static final long USUAL_MILLIS = 5_000;
  private static final long MOST_CHARACTERS = 16 << 20;

  private final double from;
  private final double to;
  private final List<Caption> captions = new ArrayList<>();
  private long characters;

  private SubtitleReading(double from, double to) {
    this.from = from;
    this.to = to;
  }

  /**
   * All captions of a track that are shown between two times.
   *
   * @param from seconds of the source that become 0
   */
  public static List<Caption> run(
      Path path, int stream, double from, double to, BooleanSupplier stop) {
    SubtitleReading pump = new SubtitleReading(from, to);
    pump.read(path, stream, stop);
    return pump.ended();
  }

  private void read(Path path, int stream, BooleanSupplier stop) {
    AVPacket packet = avcodec.av_packet_alloc();
    try (Source source = Source.open(path);
        Decoder decoder = Decoder.open(source.stream(stream), 1);
        AVSubtitle subtitle = new AVSubtitle();
        IntPointer got = new IntPointer(1)) {
      source.only(List.of(stream));
      double tick = avutil.av_q2d(source.stream(stream).time_base());
      while (source.read(packet)) {
        if (stop.getAsBoolean()) {
          throw new CancellationException("The subtitles are not wanted any more");
        }
        if (packet.stream_index() == stream && packet.pts() != avutil.AV_NOPTS_VALUE) {
          got.put(0, 0);
          int answer = avcodec.avcodec_decode_subtitle2(decoder.context(), subtitle, got, packet);
          if (answer >= 0 && got.get(0) != 0) {
            take(subtitle, packet.pts() * tick, packet.duration() * tick);
            avcodec.avsubtitle_free(subtitle);
          }
        }
        avcodec.av_packet_unref(packet);
      }
    } finally {
      avcodec.av_packet_free(packet);
    }
  }

  private void take(AVSubtitle subtitle, double pts, double duration) {
    long first = Integer.toUnsignedLong(subtitle.start_display_time());
    long last = Integer.toUnsignedLong(subtitle.end_display_time());
    long begin = Math.round((pts - from) * 1000) + (first == UNKNOWN ? 0 : first);
    long end = Math.round((pts - from) * 1000) + (last == UNKNOWN ? 0 : last);
    if (end <= begin) {
      end = begin + Math.round(duration * 1000);
    }
    if (begin >= (to - from) * 1000 || (end > begin && end <= 0)) {
      return;
    }
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < subtitle.num_rects(); i++) {
      String text = text(subtitle.rects(i));
      if (!text.isBlank()) {
        lines.add(text);
      }
    }
    String all = String.join("\n", lines);
    characters += all.length();
    if (characters > MOST_CHARACTERS) {
      throw new AvException("There are more subtitles than anybody could read");
    }
    if (!all.isEmpty()) {
      captions.add(new Caption(begin, end, all));
    }
  }

  private static String text(AVSubtitleRect rect) {
    BytePointer ass = rect.ass();
    if (ass != null && !ass.isNull()) {
      return AssText.plain(ass.getString(StandardCharsets.UTF_8));
    }
    BytePointer text = rect.text();
    return text == null || text.isNull() ? "" : text.getString(StandardCharsets.UTF_8);
  }

  /** A caption whose end is not known lasts until the next one. */
  private List<Caption> ended() {
    List<Caption> all = new ArrayList<>();
    for (int i = 0; i < captions.size(); i++) {
      Caption each = captions.get(i);
      long end = each.toMillis();
      if (end <= each.fromMillis()) {
        long usual = each.fromMillis() + USUAL_MILLIS;
        end = i + 1 < captions.size() ? Math.min(usual, captions.get(i + 1).fromMillis()) : usual;
      }
      all.add(new Caption(each.fromMillis(), end, each.text()));
    }
    return List.copyOf(all);
  }
}
