package dev.fairlead.media.progress;

import dev.fairlead.device.DeviceId;
import dev.fairlead.media.job.Remedy;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.plan.Fingerprint;
import dev.fairlead.media.plan.Rung;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.store.ChunkFile;
import dev.fairlead.media.store.CorruptChunk;
import dev.fairlead.media.store.CorruptJournal;
import dev.fairlead.media.store.FileTrouble;
import dev.fairlead.media.store.JournalEntry;
import dev.fairlead.media.store.JournalState;
import dev.fairlead.media.store.OutputLock;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.store.Workspace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * What a job has finished, in its output directory, so that it survives the process. Thread-safe.
 */
public final class JobStore implements AutoCloseable {
  private static final String DIRECTORY = ".fairlead";

  /** A chunk of a rung that is finished. */
  public record Committed(Path file, int frames, long bytes) {}

  private final Workspace workspace;
  private final Map<UnitId, Committed> committed = new ConcurrentHashMap<>();
  private final Map<UnitId, Integer> attempts = new ConcurrentHashMap<>();
  private final Published published;

  private JobStore(Workspace workspace) {
    this.workspace = workspace;
    this.published = new Published(workspace);
  }

  public static JobStore open(TranscodeRequest request) {
    try {
      requireOthers(request);
      return new JobStore(
          request.restart()
              ? Workspace.openAnew(request.output())
              : Workspace.open(request.output()));
    } catch (OutputLock.Busy busy) {
      throw new TranscodeException.Storage(String.valueOf(busy.getMessage()), busy);
    } catch (CorruptJournal damaged) {
      throw new TranscodeException.Storage(
          String.valueOf(damaged.getMessage()), Remedy.RESTART, damaged);
    } catch (IOException failure) {
      throw new TranscodeException.Storage(
          "Cannot look at %s: %s".formatted(request.output(), FileTrouble.words(failure)), failure);
    } catch (UncheckedIOException failure) {
      throw new TranscodeException.Storage(FileTrouble.words(failure), failure);
    }
  }

  /** An input that a job here has made, or needs, is not for it to replace or to remove. */
  private static void requireOthers(TranscodeRequest request) throws IOException {
    Path input = request.input();
    if (!Files.exists(input)) {
      return;
    }
    Path own = request.output().resolve(DIRECTORY);
    boolean needed = Files.exists(own) && input.toRealPath().startsWith(own.toRealPath());
    boolean made = false;
    for (Path file : Workspace.publishedIn(request.output())) {
      made |= Files.exists(file) && Files.isSameFile(file, input);
    }
    if (needed || made) {
      throw new TranscodeException.BadRequest(
          "%s is a file of the job in %s; choose another output, or move the input away"
              .formatted(input, request.output()));
    }
  }

  /**
   * Takes up what an earlier run of the same job has left; true if that is all of it.
   *
   * @param names files that the job will publish
   * @throws TranscodeException.BadRequest if another job was here, or a file of somebody else is in
   *     the way
   */
  public boolean takeUp(Fingerprint wanted, List<String> names, Consumer<String> notices) {
    switch (workspace.standing(wanted)) {
      case Workspace.Standing.Finished finished -> {
        List<String> changed = published.changed();
        if (changed.isEmpty()) {
          return true;
        }
        notices.accept(
            "No longer as they were published, and made again: " + String.join(", ", changed));
        load(workspace.reopen(wanted));
        return false;
      }
      case Workspace.Standing.Different different ->
          throw new TranscodeException.BadRequest(
              inTheWay(different, wanted.sourceName()), Remedy.OTHER_OUTPUT);
      case Workspace.Standing.Fresh fresh -> {}
      case Workspace.Standing.Resumable resumable -> load(resumable.state());
    }
    published.requireFree(names);
    workspace.journal().append(new JournalEntry.Begun(wanted));
    return false;
  }

  /** Another source is the whole answer: that its tracks differ, too, helps no one. */
  private String inTheWay(Workspace.Standing.Different different, String name) {
    boolean otherSource =
        different.differences().stream().anyMatch(Fingerprint.Difference::isOfSource);
    if (otherSource && !different.source().isEmpty()) {
      return different.source().equals(name)
          ? "%s was made from %s as it was before that changed".formatted(workspace.output(), name)
          : "%s was made from %s".formatted(workspace.output(), different.source());
    }
    return "%s holds another job: %s"
        .formatted(
            workspace.output(),
            different.differences().stream()
                .map(Object::toString)
                .collect(Collectors.joining("; ")));
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
  public Map<String, JournalEntry.Promise> promises() {
    return workspace.journal().state().promises();
  }

  /** Chunks that were committed under another promise are void from now on. */
  public void promise(JournalEntry.Promise promise) {
    String rung = promise.rung();
    workspace.journal().append(promise);
    Set<UnitId> still = workspace.journal().state().committed().keySet();
    committed.keySet().removeIf(unit -> unit.rung().equals(rung) && !still.contains(unit));
  }

  /** Where a job keeps what it goes on from. */
  public Path directory() {
    return workspace.output().resolve(DIRECTORY);
  }

  public Path log() {
    return directory().resolve("worker.log");
  }

  /** Where a device puts a chunk; two that do the same one do not meet. */
  public Path chunkFile(UnitId unit, DeviceId device) {
    chunkDirectory(unit.rung());
    return workspace.chunkFile(unit, device);
  }

  /** Where the chunks of a rung go, or the pieces of an audio track. */
  public Path chunkDirectory(String rung) {
    Path directory = workspace.chunkDirectory(rung);
    try {
      return Files.createDirectories(directory);
    } catch (IOException failure) {
      throw new TranscodeException.Storage(
          "Cannot make %s: %s".formatted(directory, FileTrouble.words(failure)), failure);
    }
  }

  public Map<UnitId, Committed> committed() {
    return committed;
  }

  /** The pieces of an audio track that are finished, by number. */
  public SortedMap<Long, Path> pieces(String track) {
    SortedMap<Long, Path> pieces = new TreeMap<>();
    committed.forEach((unit, its) -> {
      if (unit.rung().equals(track)) {
        pieces.put(unit.chunk(), its.file());
      }
    });
    return pieces;
  }

  /** An audio track that is complete; empty if it is not. */
  public Optional<FinishedSound> sound(String track) {
    return Optional.ofNullable(workspace.journal().state().sounds().get(track))
        .map(FinishedSound::of);
  }

  /** All pieces of an audio track are committed: it is never made again. */
  public void sound(String track, FinishedSound sound) {
    JournalEntry.Sound entry = sound.entry(track);
    if (!entry.equals(workspace.journal().state().sounds().get(track))) {
      workspace.journal().append(entry);
    }
  }

  public Set<UnitId> suspects() {
    return workspace.journal().state().suspects();
  }

  /** A unit's file is written; the first to commit wins, what a clone made later is left out. */
  public void committed(UnitId unit, Path file, ChunkFile.Summary written) {
    // Both at once: the second of two clones returns only when the first is known here.
    synchronized (committed) {
      if (workspace.commit(unit, file, written)) {
        committed.put(unit, new Committed(file, written.samples(), written.bytes()));
      }
    }
  }

  /** How many chunks of rungs are finished. */
  public int chunks(TranscodePlan plan) {
    Set<String> rungs = plan.rungs().stream().map(Rung::name).collect(Collectors.toSet());
    return (int) committed.keySet().stream().filter(unit -> rungs.contains(unit.rung())).count();
  }

  public void started(UnitId unit, DeviceId device) {
    int attempt = attempts.merge(unit, 1, Integer::sum);
    workspace.journal().append(new JournalEntry.Started(unit, device, attempt));
  }

  public void failed(UnitId unit, DeviceId device, String reason) {
    workspace.journal().append(new JournalEntry.Failed(unit, device, reason));
  }

  public void crashed(Set<UnitId> units) {
    workspace.journal().append(new JournalEntry.Crashed(List.copyOf(units)));
  }

  public Published published() {
    return published;
  }

  /** Chunks whose files are not what was committed are to be made again; gives which. */
  public List<UnitId> loseCorrupt() {
    List<UnitId> lost = new ArrayList<>();
    committed.forEach((unit, chunk) -> {
      try (ChunkFile file = ChunkFile.open(chunk.file())) {
        file.verify();
      } catch (CorruptChunk | UncheckedIOException corrupt) {
        lost.add(unit);
      }
    });
    for (UnitId unit : lost) {
      workspace.journal().lose(unit);
      committed.remove(unit);
    }
    return lost;
  }

  /** Frames of each rung that the journal knows of, also after the chunks are gone. */
  public Map<String, Long> framesByRung() {
    return workspace.journal().state().committed().values().stream()
        .collect(
            Collectors.groupingBy(
                entry -> entry.unit().rung(),
                Collectors.summingLong(JournalEntry.Committed::frames)));
  }

  public void finished() {
    workspace.finish();
  }

  @Override
  public void close() {
    workspace.close();
  }
}
