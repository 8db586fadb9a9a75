package dev.fairlead.service.job;

import dev.fairlead.service.file.Sha256;
import dev.fairlead.service.http.Answer;
import dev.fairlead.service.http.Problem;
import dev.fairlead.service.http.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The files that a job has made. What a job goes on from (hidden directories) is none of them. */
public final class Artifacts {
  private static final Map<String, String> TYPES =
      Map.of(
          "m3u8", "application/vnd.apple.mpegurl",
          "m4s", "video/iso.segment",
          "mp4", "video/mp4",
          "vtt", "text/vtt",
          "html", "text/html",
          "json", "application/json");

  /** Of so many files the hashes are remembered. */
  private static final int REMEMBERED = 100_000;

  /** All files. */
  public record ArtifactList(List<Artifact> artifacts) {}

  /** One file. */
  public record Artifact(String path, long bytes, String sha256, String contentType) {}

  /** A file as it was when it was read. */
  private record Version(Path file, long bytes, FileTime modified) {}

  // Guarded by itself; the version that was asked for the longest time ago goes first.
  private final Map<Version, String> hashes =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Version, String> eldest) {
          return size() > REMEMBERED;
        }
      };

  ArtifactList list(Path output) {
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
              .flatMap(file -> artifact(output, file).stream())
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

  /** Empty if the file is gone. */
  private Optional<Artifact> artifact(Path output, Path name) {
    try {
      Path file = output.resolve(name);
      BasicFileAttributes its = Files.readAttributes(file, BasicFileAttributes.class);
      Version version = new Version(file, its.size(), its.lastModifiedTime());
      return Optional.of(new Artifact(name.toString(), its.size(), hash(version), type(name)));
    } catch (IOException gone) {
      return Optional.empty();
    }
  }

  private String hash(Version version) throws IOException {
    synchronized (hashes) {
      String known = hashes.get(version);
      if (known != null) {
        return known;
      }
    }
    String hash = Sha256.of(version.file());
    synchronized (hashes) {
      hashes.put(version, hash);
    }
    return hash;
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
