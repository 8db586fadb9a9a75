package dev.fairlead.service.trace;

import dev.fairlead.media.job.HostEvent;
import dev.fairlead.media.job.HostException;
import dev.fairlead.media.job.JobStatus;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.local.TranscodeHost;
import dev.fairlead.media.records.JobId;
import dev.fairlead.media.report.JobRecording;
import dev.fairlead.media.report.Recording;
import dev.fairlead.media.report.ReportPage;
import dev.fairlead.media.report.RunOrigin;
import dev.fairlead.media.report.TraceFile;
import dev.fairlead.service.http.Words;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;

/**
 * What was done for each job since this service began with it. A job that goes on has its recording
 * in memory; when it is over, a trace and a report are written to two files, which stay until the
 * job is forgotten. A job that an earlier service has begun is recorded from where it went on, as a
 * command that resumes does. Thread-safe.
 */
public final class JobTraces implements HostEvent.Listener, AutoCloseable {
  private static final String COMMAND = "fairlead serve";

  private final TranscodeHost host;
  private final Path directory;
  private final String version;
  private final BiConsumer<String, Throwable> mishaps;
  private final Choices choices;
  private final ConcurrentMap<JobId, JobRecording> open = new ConcurrentHashMap<>();
  private final HostEvent.Subscription subscription;

  /** What is kept of a job, and how the name of its file ends. */
  enum Kind {
    TRACE(".json"),
    REPORT(".html");

    private final String ending;

    Kind(String ending) {
      this.ending = ending;
    }
  }

  private JobTraces(
      TranscodeHost host, Path directory, String version, BiConsumer<String, Throwable> mishaps) {
    this.host = host;
    this.directory = directory;
    this.choices = new Choices(directory);
    this.version = version;
    this.mishaps = mishaps;
    this.subscription = host.subscribe(1, this);
  }

  /**
   * Records the jobs of a host.
   *
   * @param directory of the files
   * @param version of Fairlead, for reports
   * @param mishaps takes what goes wrong; jobs go on without a trace
   */
  public static JobTraces open(
      TranscodeHost host, Path directory, String version, BiConsumer<String, Throwable> mishaps)
      throws IOException {
    Files.createDirectories(directory);
    return new JobTraces(host, directory, version, mishaps);
  }

  @Override
  public void on(HostEvent event) {
    switch (event.what()) {
      case HostEvent.What.Reported reported -> {
        open.computeIfAbsent(event.job(), this::recording).on(reported.event());
        if (reported.event() instanceof TranscodeListener.Event.Assigned assigned) {
          explain(event.job(), Choice.of(assigned, Instant.now()));
        }
      }
      case HostEvent.What.Changed changed when changed.state().isOver() -> {
        JobRecording recording = open.get(event.job());
        if (recording != null) {
          if (recording.result().isEmpty()) {
            recording.failed(Words.of(changed.state()), recording.seconds(), changed.reason());
          }
          keep(event.job(), recording);
          open.remove(event.job());
        }
      }
      case HostEvent.What.Changed _ -> {}
    }
  }

  private synchronized void explain(JobId id, Choice choice) {
    try {
      if (isKnown(id)) {
        choices.add(id, choice);
      }
    } catch (IOException failure) {
      mishaps.accept("writing why a chunk of job %s went to its device".formatted(id), failure);
    }
  }

  private boolean isKnown(JobId id) {
    try {
      return host.job(id).id().equals(id);
    } catch (HostException.UnknownJob forgotten) {
      return false;
    }
  }

  /** Why a chunk went to its devices, the oldest time first. */
  List<Choice> choices(JobId id, String rung, long chunk) {
    return choices.find(id, rung, chunk);
  }

  private JobRecording recording(JobId id) {
    String name;
    try {
      name = String.valueOf(host.job(id).status().input().getFileName());
    } catch (HostException.UnknownJob forgotten) {
      name = id.value();
    }
    return new JobRecording(id.value(), name, 0);
  }

  @Override
  public void reset(List<JobStatus> jobs, long next) {
    // What was missed is missing in recordings only.
  }

  /** Nothing is written of a job that was forgotten meanwhile: {@link #forget} comes after that. */
  private synchronized void keep(JobId id, JobRecording recording) {
    if (!isKnown(id)) {
      return;
    }
    for (Kind kind : Kind.values()) {
      Optional<String> text = text(recording, kind);
      if (text.isPresent()) {
        write(file(id, kind), text.get());
      }
    }
  }

  /** Empty for a job that ended before it was planned. */
  private Optional<String> text(JobRecording recording, Kind kind) {
    if (recording.plan().isEmpty()) {
      return Optional.empty();
    }
    Recording whole = new Recording();
    whole.add(recording);
    return Optional.of(
        switch (kind) {
          case TRACE -> TraceFile.of(whole);
          case REPORT -> ReportPage.of(whole, RunOrigin.now(COMMAND, version));
        });
  }

  private void write(Path file, String text) {
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    try {
      Files.writeString(draft, text);
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException failure) {
      mishaps.accept("writing " + file, failure);
    }
  }

  private Path file(JobId id, Kind kind) {
    return directory.resolve(id.value() + kind.ending);
  }

  /** What was done so far, or altogether; empty if nothing of that is known. */
  Optional<String> find(JobId id, Kind kind) {
    JobRecording going = open.get(id);
    if (going != null) {
      return text(going, kind);
    }
    try {
      Path file = file(id, kind);
      return Files.exists(file) ? Optional.of(Files.readString(file)) : Optional.empty();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Removes what is kept of a job that its host has forgotten. */
  public synchronized void forget(JobId id) {
    open.remove(id);
    try {
      for (Kind kind : Kind.values()) {
        Files.deleteIfExists(file(id, kind));
      }
      choices.forget(id);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Override
  public void close() {
    subscription.close();
  }
}
