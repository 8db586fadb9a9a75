package dev.fairlead.media.job;

import dev.fairlead.media.plan.Fingerprint;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.store.CorruptJournal;
import dev.fairlead.media.store.JournalEntry;
import dev.fairlead.media.store.JournalState;
import dev.fairlead.media.store.OutputLock;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.store.Workspace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * What a job has finished, in its output directory, so that it survives the process. Thread-safe.
 */
final class JobStore implements AutoCloseable {
  private static final String DIRECTORY = ".fairlead";

  /** A chunk of a rung that is finished. */
  record Committed(Path file, int frames, long bytes) {}

  private final Workspace workspace;
  private final Map<UnitId, Committed> committed = new ConcurrentHashMap<>();
  private final Map<UnitId, Integer> attempts = new ConcurrentHashMap<>();

  private JobStore(Workspace workspace) {
    this.workspace = workspace;
  }

  static JobStore open(TranscodeRequest request) {
    try {
      return new JobStore(
          request.restart()
              ? Workspace.openAnew(request.output())
              : Workspace.open(request.output()));
    } catch (OutputLock.Busy busy) {
      throw new TranscodeException.Storage(String.valueOf(busy.getMessage()), busy);
    } catch (CorruptJournal damaged) {
      throw new TranscodeException.Storage(
          damaged.getMessage() + "; --restart begins again", damaged);
    } catch (UncheckedIOException failure) {
      throw new TranscodeException.Storage(
          "%s (%s)".formatted(failure.getMessage(), failure.getCause()), failure);
    }
  }

  /**
   * Takes up what an earlier run of the same job has left; true if that is all of it.
   *
   * @throws TranscodeException.BadRequest if another job was here
   */
  boolean takeUp(Fingerprint wanted) {
    switch (workspace.standing(wanted)) {
      case Workspace.Standing.Finished finished -> {
        return true;
      }
      case Workspace.Standing.Different different ->
          throw new TranscodeException.BadRequest(
              "%s holds another job: %s. Choose another output, or --restart"
                  .formatted(
                      workspace.output(),
                      different.differences().stream()
                          .map(Object::toString)
                          .collect(Collectors.joining("; "))));
      case Workspace.Standing.Fresh fresh -> {}
      case Workspace.Standing.Resumable resumable -> load(resumable.state());
    }
    workspace.journal().append(new JournalEntry.Begun(wanted));
    return false;
  }

  private void load(JournalState state) {
    state
        .committed()
        .forEach((unit, entry) ->
            committed.put(
                unit,
                new Committed(workspace.chunkFile(entry), (int) entry.frames(), entry.bytes())));
  }

  /** What each rung has promised so far, by its name. */
  Map<String, JournalEntry.Invariant> promises() {
    return workspace.journal().state().invariants();
  }

  /** Chunks that were committed under another promise are void from now on. */
  void promise(JournalEntry.Invariant promise) {
    String rung = promise.rung();
    workspace.journal().append(promise);
    Set<UnitId> still = workspace.journal().state().committed().keySet();
    committed.keySet().removeIf(unit -> unit.rung().equals(rung) && !still.contains(unit));
  }

  Path log() {
    return workspace.output().resolve(DIRECTORY).resolve("worker.log");
  }

  /** Where a device puts a chunk; two that do the same one do not meet. */
  Path chunkFile(UnitId unit, String device) {
    String name = "%06d-%s.chunk".formatted(unit.chunk(), device.replace(':', '-'));
    Path directory = workspace.output().resolve(DIRECTORY).resolve("chunks").resolve(unit.rung());
    try {
      Files.createDirectories(directory);
    } catch (IOException failure) {
      throw new TranscodeException.Storage("Cannot make " + directory, failure);
    }
    return directory.toAbsolutePath().resolve(name);
  }

  Map<UnitId, Committed> committed() {
    return committed;
  }

  Set<UnitId> suspects() {
    return workspace.journal().state().suspects();
  }

  void committed(UnitId unit, Path file, int frames, long bytes, String sha256) {
    Path root = workspace.output().resolve(DIRECTORY).toAbsolutePath();
    synchronized (committed) {
      // The first to commit wins; what a clone made later is not looked at.
      if (committed.containsKey(unit)) {
        return;
      }
      workspace
          .journal()
          .append(
              new JournalEntry.Committed(
                  unit, root.relativize(file).toString(), frames, bytes, sha256));
      committed.put(unit, new Committed(file, frames, bytes));
    }
  }

  void started(UnitId unit, String device) {
    int attempt = attempts.merge(unit, 1, Integer::sum);
    workspace.journal().append(new JournalEntry.Started(unit, device, attempt));
  }

  void failed(UnitId unit, String device, String reason) {
    workspace.journal().append(new JournalEntry.Failed(unit, device, reason));
  }

  void crashed(Set<UnitId> units) {
    workspace.journal().append(new JournalEntry.Crashed(List.copyOf(units)));
  }

  void publishing(List<String> paths) {
    workspace.journal().append(new JournalEntry.Publishing(paths));
  }

  /** Frames of each rung that the journal knows of, also after the chunks are gone. */
  Map<String, Long> framesByRung() {
    return workspace.journal().state().committed().values().stream()
        .collect(
            Collectors.groupingBy(
                entry -> entry.unit().rung(),
                Collectors.summingLong(JournalEntry.Committed::frames)));
  }

  void finished() {
    workspace.finish();
  }

  @Override
  public void close() {
    workspace.close();
  }
}
