package dev.fairlead.service.job;

import dev.fairlead.service.http.Answer;
import dev.fairlead.service.http.Problem;
import dev.fairlead.service.http.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The files that a job has made. What a job goes on from (hidden directories) is none of them. */
final class Artifacts {
  private static final Map<String, String> TYPES =
      Map.of(
          "m3u8", "application/vnd.apple.mpegurl",
          "m4s", "video/iso.segment",
          "mp4", "video/mp4",
          "vtt", "text/vtt",
          "html", "text/html",
          "json", "application/json");

  /** All files. */
  record ArtifactList(List<Artifact> artifacts) {}

  /** One file. */
  record Artifact(String path, long bytes, String contentType) {}

  private Artifacts() {}

  static ArtifactList list(Path output) {
    if (!Files.isDirectory(output)) {
      return new ArtifactList(List.of());
    }
    try (Stream<Path> files = Files.walk(output)) {
      return new ArtifactList(
          files
              .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
              .map(output::relativize)
              .filter(Artifacts::isShown)
              .sorted()
              .map(file -> new Artifact(file.toString(), size(output.resolve(file)), type(file)))
              .toList());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static boolean isShown(Path file) {
    for (Path step : file) {
      if (step.toString().startsWith(".")) {
        return false;
      }
    }
    return true;
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException gone) {
      return 0;
    }
  }

  private static String type(Path file) {
    String name = file.getFileName().toString();
    String ending = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return TYPES.getOrDefault(ending, "application/octet-stream");
  }

  /**
   * One file.
   *
   * @throws Problem if there is none
   */
  static Answer get(Path output, String path) {
    try {
      Path relative = Path.of(path);
      Path file = output.resolve(relative);
      if (!relative.isAbsolute()
          && relative.normalize().equals(relative)
          && isShown(relative)
          && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
          && file.toRealPath().startsWith(output.toRealPath())) {
        return new Answer.Content(file, type(relative), Optional.empty());
      }
    } catch (InvalidPathException | IOException none) {
      // Said below.
    }
    throw Problem.of(Status.NOT_FOUND, "The job has made no file " + path);
  }
}
