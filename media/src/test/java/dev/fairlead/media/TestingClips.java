package dev.fairlead.media;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Sources for tests, made once each by the bundled ffmpeg. */
public final class TestingClips {
  private static final Map<String, Path> MADE = new ConcurrentHashMap<>();
  private static final Path DIRECTORY = directory();

  private TestingClips() {}

  private static Path directory() {
    try {
      Path directory = Files.createTempDirectory("fairlead-clips");
      directory.toFile().deleteOnExit();
      return directory;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Six seconds of 320x180 at 30 a second in H.264, with sound: three chunks. */
  public static Path usual() {
    return clip(
        "usual.mp4",
        "-f lavfi -i testsrc2=s=320x180:r=30 -f lavfi -i sine=f=440:r=48000 -t 6"
            + " -c:v libopenh264 -b:v 600k -g 30 -c:a aac");
  }

  /** A clip made with these arguments; they may not hold spaces. */
  public static Path clip(String name, String arguments) {
    return MADE.computeIfAbsent(
        name,
        any -> {
          Path file = DIRECTORY.resolve(name);
          file.toFile().deleteOnExit();
          List<String> all = new ArrayList<>(List.of(arguments.split(" ")));
          all.add(file.toString());
          TestingFfmpeg.ffmpeg(all.toArray(String[]::new));
          return file;
        });
  }
}
