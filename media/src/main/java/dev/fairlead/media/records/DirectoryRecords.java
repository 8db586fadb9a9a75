package dev.fairlead.media.records;

import dev.fairlead.media.store.DurableFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Records in a directory: a log is a directory in it, an entry a file.
 *
 * <p>An entry is written under a name of its own, brought to the disk, and then linked to its name,
 * which fails if that is taken; a rename would replace. Then the directory is brought to the disk:
 * by a writer that came too late as well, since it may tell others what the first one has not made
 * durable yet. A file system may link and say that it has not; the number of links tells.
 *
 * <p>A log's directory is made for its first entry only. So a writer that wakes up after a log was
 * deleted does not bring it back.
 */
public final class DirectoryRecords implements Records {
  private static final String TEMPORARY = ".tmp";

  /** Longer than any process takes to create an entry. */
  private static final Duration STALE = Duration.ofHours(1);

  /** What creating an entry consists of, in order. */
  enum Step {
    WRITE,
    SYNC,
    LINK,
    SYNC_NAME,
    UNLINK
  }

  /** Told of each step before it is made; for tests. */
  interface Steps {
    void before(Step step);
  }

  private final Path root;
  private final Steps steps;

  DirectoryRecords(Path root, Steps steps) {
    this.root = root;
    this.steps = steps;
  }

  /** Opens a directory, which is made if need be; what killed writers have left goes. */
  public static DirectoryRecords open(Path root) {
    DirectoryRecords records = new DirectoryRecords(root, step -> {});
    records.clear(Instant.now().minus(STALE));
    return records;
  }

  /** Deletes drafts that are older than that. */
  void clear(Instant before) {
    Path temporary = root.resolve(TEMPORARY);
    try {
      DurableFiles.createDirectories(temporary);
      try (Stream<Path> drafts = Files.list(temporary)) {
        for (Path draft : drafts.toList()) {
          if (isOlder(draft, before)) {
            Files.deleteIfExists(draft);
          }
        }
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("Cannot open " + root, failure);
    }
  }

  private static boolean isOlder(Path draft, Instant before) throws IOException {
    try {
      return Files.getLastModifiedTime(draft).toInstant().isBefore(before);
    } catch (NoSuchFileException gone) {
      return false;
    }
  }

  private Path directory(String log) {
    return root.resolve(log);
  }

  private Path file(RecordName name) {
    return directory(name.log()).resolve(name.entry());
  }

  @Override
  public Owner create(String name, byte[] content) {
    RecordName its = RecordName.parse(name);
    Path draft = root.resolve(TEMPORARY).resolve(UUID.randomUUID().toString());
    try {
      if (its.begins()) {
        DurableFiles.createDirectories(directory(its.log()));
      }
      write(draft, content);
      steps.before(Step.LINK);
      Owner owner = link(draft, its);
      steps.before(Step.SYNC_NAME);
      DurableFiles.force(directory(its.log()));
      steps.before(Step.UNLINK);
      return owner;
    } catch (NoSuchFileException gone) {
      throw new Gone(its.log());
    } catch (IOException failure) {
      throw new UncheckedIOException("Cannot create " + file(its), failure);
    } finally {
      DurableFiles.deleteQuietly(draft);
    }
  }

  private void write(Path draft, byte[] content) throws IOException {
    try (FileChannel channel =
        FileChannel.open(draft, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      steps.before(Step.WRITE);
      for (ByteBuffer rest = ByteBuffer.wrap(content); rest.hasRemaining(); ) {
        channel.write(rest);
      }
      steps.before(Step.SYNC);
      channel.force(true);
    }
  }

  private Owner link(Path draft, RecordName name) throws IOException {
    try {
      Files.createLink(file(name), draft);
      return Owner.MINE;
    } catch (FileAlreadyExistsException taken) {
      return (int) Files.getAttribute(draft, "unix:nlink") > 1 ? Owner.MINE : Owner.THEIRS;
    }
  }

  @Override
  public Optional<byte[]> read(String name) {
    Path file = file(RecordName.parse(name));
    try {
      return Optional.of(Files.readAllBytes(file));
    } catch (NoSuchFileException none) {
      return Optional.empty();
    } catch (IOException failure) {
      throw new UncheckedIOException("Cannot read " + file, failure);
    }
  }

  @Override
  public List<String> list(String log) {
    Path directory = directory(new RecordName(log, RecordName.FIRST).log());
    List<String> names = new ArrayList<>();
    try {
      addNames(directory, log, names);
    } catch (IOException failure) {
      throw new UncheckedIOException("Cannot list " + directory, failure);
    }
    Collections.sort(names);
    return names;
  }

  /** Adds what is there; logs may be deleted meanwhile. */
  private static void addNames(Path directory, String log, List<String> names) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        String name = log + "/" + file.getFileName();
        if (Files.isDirectory(file)) {
          addNames(file, name, names);
        } else {
          names.add(name);
        }
      }
    } catch (NoSuchFileException none) {
      // It has no entries.
    }
  }

  @Override
  public void delete(String name) {
    RecordName its = RecordName.parse(name);
    Path directory = directory(its.log());
    try {
      Files.deleteIfExists(file(its));
      if (Files.isDirectory(directory)) {
        DurableFiles.force(directory);
        deleteEmpty(directory);
      }
    } catch (NoSuchFileException gone) {
      // Another has deleted the last entry.
    } catch (IOException failure) {
      throw new UncheckedIOException("Cannot delete " + file(its), failure);
    }
  }

  private static void deleteEmpty(Path directory) throws IOException {
    try {
      Files.deleteIfExists(directory);
      DurableFiles.force(DurableFiles.directoryOf(directory));
    } catch (DirectoryNotEmptyException entries) {
      // It has others.
    }
  }
}
