package dev.fairlead.media.pack;

import dev.fairlead.media.TestingFfmpeg;
import java.nio.file.Path;
import java.util.List;

/** What ffprobe finds in a finished file. */
final class TestingPackets {
  private TestingPackets() {}

  /** When the frames that {@code stream}, such as {@code v:0}, decodes to are shown, in seconds. */
  static List<Double> frameTimes(Path file, String stream) {
    return TestingFfmpeg.ffprobe(
            "-select_streams",
            stream,
            "-show_entries",
            "frame=pts_time",
            "-of",
            "csv=p=0",
            file.toString())
        .lines()
        .filter(line -> !line.isBlank())
        .map(line -> Double.valueOf(line.split(",", -1)[0]))
        .toList();
  }

  static String entry(Path file, String stream, String entries) {
    return TestingFfmpeg.ffprobe(
            "-select_streams", stream, "-show_entries", entries, "-of", "csv=p=0", file.toString())
        .strip();
  }
}
