package dev.fairlead.media.pack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Writes subtitles as WebVTT, in one file or in segments for HLS. */
public final class WebVtt {
  private static final String HEADER = "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n";

  private WebVtt() {}

  /** Plain text shown from {@code start} until {@code end}; it may come from an untrusted file. */
  public record Cue(Duration start, Duration end, String text) {}

  /** Writes all cues into {@code file}, whole or not at all. */
  public static void write(Publication publication, Path file, List<Cue> cues) {
    writeOrdered(publication, file, inOrder(cues));
  }

  static void write(Path file, List<Cue> cues) {
    write(Publication.plain(), file, cues);
  }

  /**
   * Writes a playlist and one file for each segment of {@code grid}, which is that of the video. A
   * cue stands in every segment in which it is shown.
   */
  public static List<Segment> writeSegments(
      Publication publication,
      Path directory,
      List<Cue> cues,
      List<Segment> grid,
      int targetSeconds) {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException("Could not make " + directory, e);
    }
    List<Cue> ordered = inOrder(cues);
    List<Segment> segments = new ArrayList<>();
    double from = 0;
    for (Segment place : grid) {
      double until = from + place.seconds();
      double begin = from;
      List<Cue> shown =
          ordered.stream()
              .filter(cue -> seconds(cue.start) < until && seconds(cue.end) > begin)
              .toList();
      String name = "segment-%05d.vtt".formatted(segments.size() + 1);
      AtomicFile.Written written = writeOrdered(publication, directory.resolve(name), shown);
      segments.add(
          new Segment(name, written.bytes(), place.ticks(), place.timescale(), written.sha256()));
      from = until;
    }
    Path playlist = directory.resolve(TrackWriter.PLAYLIST);
    MediaPlaylist.write(publication, playlist, MediaPlaylist.text("", segments, targetSeconds));
    return segments;
  }

  private static AtomicFile.Written writeOrdered(
      Publication publication, Path file, List<Cue> cues) {
    return AtomicFile.write(
        publication,
        file,
        out -> {
          out.write(HEADER.getBytes(StandardCharsets.UTF_8));
          for (Cue cue : cues) {
            String times = "\n%s --> %s\n".formatted(time(cue.start), time(cue.end));
            out.write((times + cue.text + "\n").getBytes(StandardCharsets.UTF_8));
          }
        });
  }

  /** Cues that are shown at all, by their start, with text that cannot end them early. */
  private static List<Cue> inOrder(List<Cue> cues) {
    return cues.stream()
        .map(cue -> new Cue(atLeastZero(cue.start), cue.end, escaped(cue.text)))
        .filter(cue -> cue.end.toMillis() > cue.start.toMillis() && !cue.text.isEmpty())
        .sorted(Comparator.comparing(Cue::start).thenComparing(Cue::end))
        .toList();
  }

  /** Without markup, control characters and the empty lines that would end a cue. */
  static String escaped(String text) {
    return text.lines()
        .map(line ->
            line.codePoints()
                .filter(WebVtt::isText)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString())
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .map(line -> line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))
        .collect(Collectors.joining("\n"));
  }

  private static boolean isText(int point) {
    int type = Character.getType(point);
    return type != Character.CONTROL
        && type != Character.SURROGATE
        && type != Character.LINE_SEPARATOR
        && type != Character.PARAGRAPH_SEPARATOR;
  }

  static String time(Duration time) {
    return "%02d:%02d:%02d.%03d"
        .formatted(time.toHours(), time.toMinutesPart(), time.toSecondsPart(), time.toMillisPart());
  }

  private static Duration atLeastZero(Duration time) {
    return time.isNegative() ? Duration.ZERO : time;
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }
}
