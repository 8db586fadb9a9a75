package dev.fairlead.media.progress;

import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.pack.Publication;
import dev.fairlead.media.store.DurableFiles;
import dev.fairlead.media.store.JournalEntry;
import dev.fairlead.media.store.Workspace;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * The files of a job that others read. Each is in the journal before it has its name, so that no
 * other file is ever replaced or removed. Not for use by two threads at once.
 */
public final class Published implements Publication {
  /** Files are not as this run has written them. */
  public static final class Changed extends RuntimeException {
    private static final long serialVersionUID = 1;

    Changed(List<Path> files) {
      super("Removed or changed by another program: " + files);
    }
  }

  private record Stamp(long bytes, FileTime modified) {
    static Stamp of(Path file) throws IOException {
      BasicFileAttributes its = Files.readAttributes(file, BasicFileAttributes.class);
      return new Stamp(its.size(), its.lastModifiedTime());
    }
  }

  private final Workspace workspace;
  private final Map<String, JournalEntry.Published> ours;
  private final Map<Path, Stamp> written = new HashMap<>();
  private int drafts;

  Published(Workspace workspace) {
    this.workspace = workspace;
    this.ours = new HashMap<>(workspace.journal().state().published());
  }

  /**
   * Makes sure that no file of another program is in the way.
   *
   * @param names under the output
   */
  void requireFree(List<String> names) {
    names.forEach(this::requireFree);
  }

  private void requireFree(String name) {
    Path file = workspace.output().resolve(name);
    if (!ours.containsKey(name) && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new TranscodeException.BadRequest(
          "%s is there already, and no job has made it; move it away, or choose another output"
              .formatted(file));
    }
  }

  @Override
  public Path draft(Path file) {
    drafts++;
    return workspace.temporaryFile("%d-%s".formatted(drafts, file.getFileName()));
  }

  @Override
  public void publish(Path draft, Path file, long bytes, String sha256) throws IOException {
    String name = workspace.output().relativize(file).toString();
    requireFree(name);
    JournalEntry.Published entry = new JournalEntry.Published(name, bytes, sha256);
    if (!entry.equals(ours.get(name))) {
      workspace.journal().append(entry);
      ours.put(name, entry);
    }
    written.put(file, Stamp.of(draft));
    DurableFiles.rename(draft, file);
  }

  /**
   * Makes sure that every file that this run has written is still there.
   *
   * @throws Changed if not
   */
  public void requireAsWritten() {
    List<Path> changed = new ArrayList<>();
    written.forEach((file, stamp) -> {
      try {
        if (!stamp.equals(Stamp.of(file))) {
          changed.add(file);
        }
      } catch (IOException gone) {
        changed.add(file);
      }
    });
    written.clear();
    if (!changed.isEmpty()) {
      throw new Changed(changed);
    }
  }

  /** The names of files that are missing, or do not hold what was published. */
  List<String> changed() {
    return ours.values().stream()
        .filter(entry -> !isWhole(entry))
        .map(JournalEntry.Published::path)
        .sorted()
        .toList();
  }

  private boolean isWhole(JournalEntry.Published entry) {
    Path file = workspace.output().resolve(entry.path());
    try {
      return Files.isRegularFile(file)
          && Files.size(file) == entry.bytes()
          && sha256(file).equals(entry.sha256());
    } catch (IOException unreadable) {
      return false;
    }
  }

  private static String sha256(Path file) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
        in.transferTo(OutputStream.nullOutputStream());
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException impossible) {
      throw new UncheckedIOException(new IOException(impossible));
    }
  }
}
