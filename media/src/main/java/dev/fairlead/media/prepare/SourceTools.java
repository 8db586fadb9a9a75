package dev.fairlead.media.prepare;

import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.plan.HostMemory;
import dev.fairlead.media.plan.PlanException;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.progress.EndOfJob;
import dev.fairlead.media.progress.SourceStamp;
import dev.fairlead.media.source.MediaInfo;
import dev.fairlead.media.supervise.Confinement;
import dev.fairlead.media.supervise.FailedException;
import dev.fairlead.media.supervise.WorkerProcess;
import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Failure;
import dev.fairlead.media.wire.Report;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/**
 * Small things that need codecs, each done in a worker process of its own: the caller never loads
 * any.
 */
public final class SourceTools {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Workers that may die of it. */
  private static final int TRIES = 3;

  private SourceTools() {}

  /**
   * What is in a source.
   *
   * @throws TranscodeException.Unreadable if it cannot be read
   */
  public static MediaInfo inspect(Path source) throws InterruptedException {
    return inspect(source, true);
  }

  /**
   * The same.
   *
   * @param confined whether the worker process may touch only what it needs
   */
  public static MediaInfo inspect(Path source, boolean confined) throws InterruptedException {
    SourceStamp.requireReadable(source);
    Path path = source.toAbsolutePath();
    Confinement limits = Confinement.to(List.of(path), List.of());
    return ((Report.Inspected)
            ask(
                source,
                (confined ? limits : Confinement.none()).withMemory(HostMemory.here().half()),
                number -> new Command.InspectSource(number, path)))
        .info();
  }

  /** What would be made of a request. */
  public static TranscodePlan plan(TranscodeRequest request) throws InterruptedException {
    return plan(request, true);
  }

  /** The same. */
  public static TranscodePlan plan(TranscodeRequest request, boolean confined)
      throws InterruptedException {
    MediaInfo source = inspect(request.input(), confined);
    try {
      return TranscodePlan.of(source, request);
    } catch (PlanException impossible) {
      throw new TranscodeException.BadRequest(String.valueOf(impossible.getMessage()));
    }
  }

  /** Makes a clip with moving texture and a tone, as MP4. */
  public static void makeClip(Path file, int seconds, int width, int height)
      throws InterruptedException {
    try {
      Path directory = Files.createTempDirectory("fairlead-clip");
      try {
        Report.MadeClip made =
            (Report.MadeClip)
                ask(
                    file,
                    Confinement.to(List.of(), List.of(directory)),
                    number -> new Command.MakeClip(number, directory, seconds, width, height));
        ClipFile.write(file.toAbsolutePath(), made);
      } finally {
        clear(directory);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("A clip cannot be made", failure);
    }
  }

  private static void clear(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(directory);
  }

  private static Report.Answer ask(
      Path about, Confinement confinement, LongFunction<Command> command)
      throws InterruptedException {
    for (int tries = TRIES; ; tries--) {
      try {
        return askOnce(about, confinement, command);
      } catch (FailedException failed) {
        if (failed.failure().kind() != Failure.Kind.CRASHED || tries == 1) {
          throw EndOfJob.ofInspection(about, failed.failure());
        }
      }
    }
  }

  private static Report.Answer askOnce(
      Path about, Confinement confinement, LongFunction<Command> command)
      throws InterruptedException {
    try {
      Path log = Files.createTempFile("fairlead-worker", ".log");
      try (WorkerProcess worker = WorkerProcess.start(log, confinement, report -> {})) {
        return worker.ask(command, PATIENCE);
      } finally {
        Files.deleteIfExists(log);
      }
    } catch (TimeoutException hung) {
      throw new TranscodeException.Unreadable(
          "%s: no answer in %d s".formatted(about, PATIENCE.toSeconds()));
    } catch (IOException failure) {
      throw new UncheckedIOException("A worker process cannot be started", failure);
    }
  }
}
