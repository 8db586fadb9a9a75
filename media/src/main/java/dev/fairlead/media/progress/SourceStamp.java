package dev.fairlead.media.progress;

import dev.fairlead.media.job.Remedy;
import dev.fairlead.media.job.TranscodeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;

/**
 * Which file a source is, and as of when: its size, its time and its inode.
 *
 * @param inode empty where there is none
 */
public record SourceStamp(Path source, long bytes, FileTime modified, String inode) {
  /**
   * Looks at a source.
   *
   * @throws TranscodeException.Unreadable if it is not there
   */
  public static SourceStamp of(Path source) {
    try {
      BasicFileAttributes its = Files.readAttributes(source, BasicFileAttributes.class);
      Object key = its.fileKey();
      return new SourceStamp(
          source, its.size(), its.lastModifiedTime(), key == null ? "" : key.toString());
    } catch (IOException gone) {
      throw new TranscodeException.Unreadable("%s cannot be read: %s".formatted(source, gone));
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
