package dev.fairlead.media.av;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.global.avcodec;

/**
 * A process of its own that decodes a source whose first stream is video, holds all pictures, lets
 * them go, and has its decoder give back what it keeps.
 */
public final class TestingTrim {
  private TestingTrim() {}

  /** Prints how many bytes the process has before the pictures go, after that, and at the end. */
  public static void main(String[] arguments) throws IOException {
    List<Picture> pictures = new ArrayList<>();
    AVPacket packet = avcodec.av_packet_alloc();
    try (Source source = Source.open(Path.of(arguments[0]));
        Decoder decoder = Decoder.open(source.stream(0), 1)) {
      while (source.read(packet)) {
        decoder.decode(packet, pictures::add);
        avcodec.av_packet_unref(packet);
      }
      long held = resident();
      pictures.forEach(Picture::close);
      long released = resident();
      decoder.trim();
      System.out.printf("%d %d %d%n", held, released, resident());
    } finally {
      avcodec.av_packet_free(packet);
    }
  }

  private static long resident() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("RssAnon:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
        .findFirst()
        .orElseThrow();
  }
}
