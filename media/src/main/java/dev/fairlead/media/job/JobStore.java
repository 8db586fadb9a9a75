package dev.fairlead.media.job;

import dev.fairlead.media.store.UnitId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What a job has finished, on disk. */
final class JobStore implements AutoCloseable {
  /** A chunk of a rung that is finished. */
  record Committed(Path file, int frames, long bytes) {}

  private final Path root;
  private final Map<UnitId, Committed> committed = new ConcurrentHashMap<>();

  JobStore(Path output) {
    this.root = output.resolve(".fairlead");
    try {
      Files.createDirectories(root);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path log() {
    return root.resolve("worker.log");
  }

  Path chunkFile(UnitId unit, String by) {
    Path file =
        root.resolve("chunks")
            .resolve(unit.rung())
            .resolve("%06d-%s.chunk".formatted(unit.chunk(), by.replace(':', '-')));
    try {
      Files.createDirectories(file.getParent());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return file;
  }

  Map<UnitId, Committed> committed() {
    return committed;
  }

  Set<UnitId> suspects() {
    return Set.of();
  }

  void committed(UnitId unit, Path file, int frames, long bytes, String sha256) {
    committed.put(unit, new Committed(file, frames, bytes));
  }

  void started(UnitId unit, String device) {}

  void failed(UnitId unit, String device, String reason) {}

  void crashed(Set<UnitId> units) {}

  void finished() {}

  @Override
  public void close() {}
}
