package dev.fairlead.service.serve;

import dev.fairlead.service.index.Index;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A copy of a data directory in a ZIP file, made while its service runs or not. The index comes
 * first: what happens meanwhile is in the logs, which come after it, and a service that is started
 * on the copy sets the index right by them. A job whose log goes away meanwhile is left out.
 */
public final class Backup {
  private static final String INDEX = "index.sqlite";
  private static final String RECORDS = "records";
  private static final Set<String> FILES = Set.of("packages", "uploads");
  private static final Set<String> PASSING = Set.of("lock", "native");

  private final Path data;
  private final Path target;
  private final ZipOutputStream zip;
  private long count;

  private Backup(Path data, Path target, ZipOutputStream zip) {
    this.data = data;
    this.target = target;
    this.zip = zip;
  }

  /**
   * Makes one, in place of the file that is there; whole or not at all.
   *
   * @param withFiles whether packages and uploads are in it
   * @return how many files are in it
   * @throws IllegalArgumentException if the directory is not that of a service
   */
  public static long make(Path data, Path to, boolean withFiles) {
    if (!Files.isDirectory(data.resolve(RECORDS))) {
      throw new IllegalArgumentException(
          "%s is not the data directory of a service: it has no records".formatted(data));
    }
    Path target = to.toAbsolutePath();
    Path draft = target.resolveSibling(target.getFileName() + ".part");
    Path index = target.resolveSibling(target.getFileName() + ".index");
    try {
      Files.deleteIfExists(draft);
      Files.deleteIfExists(index);
      Files.createFile(
          draft,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Backup backup;
      try (OutputStream out = Files.newOutputStream(draft);
          ZipOutputStream zip = new ZipOutputStream(out)) {
        backup = new Backup(data, target, zip);
        if (Index.copy(data, index)) {
          backup.add(INDEX, Files.readAllBytes(index));
        }
        backup.addAll(withFiles);
      }
      Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
      return backup.count;
    } catch (IOException failure) {
      throw new UncheckedIOException("The backup %s cannot be written".formatted(to), failure);
    } finally {
      deleteQuietly(draft);
      deleteQuietly(index);
    }
  }

  private static void deleteQuietly(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException stays) {
      // It says by its name what it is.
    }
  }

  private void addAll(boolean withFiles) throws IOException {
    for (Path each : children(data)) {
      String name = each.getFileName().toString();
      if (PASSING.contains(name) || name.startsWith(INDEX) || isOwn(each)) {
        continue;
      }
      if (name.equals(RECORDS)) {
        addRecords(each);
      } else if (withFiles || !FILES.contains(name)) {
        addTree(each);
      }
    }
  }

  /** Whether a file is the backup, the one before it, or a part. */
  private boolean isOwn(Path file) {
    return file.toAbsolutePath().toString().startsWith(target.toString());
  }

  /** Logs of jobs whole or not at all: one that lost its end only would run again. */
  private void addRecords(Path records) throws IOException {
    for (Path log : children(records)) {
      if (!Files.isDirectory(log) || log.getFileName().toString().startsWith(".")) {
        continue;
      }
      if (!log.getFileName().toString().equals("jobs")) {
        addTree(log);
        continue;
      }
      for (Path job : children(log)) {
        addWhole(job);
      }
    }
  }

  private void addWhole(Path directory) throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    try {
      for (Path entry : children(directory)) {
        entries.put(name(entry), Files.readAllBytes(entry));
      }
    } catch (NoSuchFileException removed) {
      return;
    }
    for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
      add(entry.getKey(), entry.getValue());
    }
  }

  private void addTree(Path path) throws IOException {
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      for (Path each : children(path)) {
        addTree(each);
      }
    } else if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
      addFile(path);
    }
  }

  private void addFile(Path file) throws IOException {
    try {
      zip.putNextEntry(new ZipEntry(name(file)));
      Files.copy(file, zip);
      zip.closeEntry();
      count++;
    } catch (NoSuchFileException removed) {
      zip.closeEntry();
    }
  }

  private void add(String name, byte[] content) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    zip.write(content);
    zip.closeEntry();
    count++;
  }

  private String name(Path file) {
    return data.relativize(file).toString();
  }

  private static List<Path> children(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }
}
