package dev.fairlead.media.progress;

import dev.fairlead.media.job.Remedy;
import dev.fairlead.media.job.TranscodeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.regex.Pattern;

/**
 * Which file a source is, and as of when: its size, its time and its inode.
 *
 * @param inode empty where there is none
 */
public record SourceStamp(Path source, long bytes, FileTime modified, String inode) {
  private static final Pattern ADDRESS = Pattern.compile("^\\p{Alpha}[\\p{Alnum}+.-]+:/");

  /**
   * Makes sure that a source is a file that can be read.
   *
   * @throws TranscodeException.Unreadable saying what it is instead
   */
  public static void requireReadable(Path source) {
    if (ADDRESS.matcher(source.toString()).find() && !Files.exists(source)) {
      throw new TranscodeException.Unreadable(
          "%s: addresses are not read; download the video, and name the file".formatted(source));
    }
    if (!Files.isRegularFile(source) || !Files.isReadable(source)) {
      throw new TranscodeException.Unreadable(
          "%s: %s; name a video file that you may read"
              .formatted(
                  source,
                  Files.isDirectory(source)
                      ? "is a directory"
                      : Files.exists(source) ? "cannot be read" : "is not there"));
    }
  }

  /**
   * Looks at a source.
   *
   * @throws TranscodeException.Unreadable if it is not there
   */
  public static SourceStamp of(Path source) {
    requireReadable(source);
    try {
      BasicFileAttributes its = Files.readAttributes(source, BasicFileAttributes.class);
      Object key = its.fileKey();
      return new SourceStamp(
          source, its.size(), its.lastModifiedTime(), key == null ? "" : key.toString());
    } catch (IOException gone) {
      throw new TranscodeException.Unreadable(source + ": cannot be read any more");
    }
  }

  /**
   * Makes sure that it is still the same file.
   *
   * @throws TranscodeException.Unreadable if not
   */
  public void require() {
    if (!equals(of(source))) {
      throw new TranscodeException.Unreadable(
          source + " was replaced or changed while it was read", Remedy.RESTART);
    }
  }
}
