package dev.fairlead.media.job;

import dev.fairlead.media.decode.Caption;
import dev.fairlead.media.pack.TrackFormat;
import dev.fairlead.media.plan.AudioPlan;
import dev.fairlead.media.plan.SubtitlePlan;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.worker.Command;
import dev.fairlead.media.worker.Failure;
import dev.fairlead.media.worker.Report;
import dev.fairlead.media.worker.WorkerProcess.FailedException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.LongFunction;

/**
 * Does the tracks beside the video: audio, then subtitles, one after another. A track that is lost
 * with its worker is begun again.
 */
final class TrackWork {
  /** In some files, a packet of a track comes only after much else is read. */
  private static final Duration PATIENCE = Duration.ofMinutes(20);

  /** Takes what is done, on another thread than the job's. */
  interface Sink {
    void sound(AudioLine line, TrackFormat.Audio format, Path file);

    void subtitles(SubtitlePlan plan, List<Caption> captions);

    /** Something is left out. */
    void without(String what);

    void ended();

    void failed(TranscodeException failure);
  }

  private final Ladder.Parts parts;
  private final Sink sink;

  private TrackWork(Ladder.Parts parts, Sink sink) {
    this.parts = parts;
    this.sink = sink;
  }

  static void start(Ladder.Parts parts, Sink sink) {
    Thread.ofVirtual().name("tracks").start(new TrackWork(parts, sink)::run);
  }

  private void run() {
    try {
      for (AudioPlan audio : parts.plan().audio()) {
        encode(new AudioLine(parts.plan(), audio));
      }
      for (SubtitlePlan subtitles : parts.plan().subtitles()) {
        read(subtitles);
      }
      sink.ended();
    } catch (FailedException failed) {
      sink.failed(JobRun.failure(failed.failure()));
    } catch (TimeoutException | RuntimeException failed) {
      sink.failed(
          new TranscodeException.GaveUp(
              "The audio cannot be encoded: " + failed.getMessage(), failed));
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    }
  }

  private void encode(AudioLine line) throws InterruptedException, TimeoutException {
    UnitId unit = new UnitId(line.audio().name(), 0);
    Path file = parts.store().chunkFile(unit, "audio");
    Report.EncodedSound sound =
        (Report.EncodedSound)
            ask(number -> new Command.EncodeAudio(number, unit, line.settings(), file));
    sink.sound(line, line.format(sound.audio()), file);
  }

  /** Subtitles that cannot be read are no reason to have no video. */
  private void read(SubtitlePlan subtitles) throws InterruptedException, TimeoutException {
    try {
      Report.ReadSubtitles read =
          (Report.ReadSubtitles)
              ask(number ->
                  new Command.ReadSubtitles(
                      number,
                      parts.plan().request().input().toAbsolutePath(),
                      subtitles.track().stream(),
                      parts.plan().from(),
                      parts.plan().to()));
      sink.subtitles(subtitles, read.captions());
    } catch (FailedException failed) {
      sink.without(
          "The subtitles in stream %d are left out: %s"
              .formatted(subtitles.track().stream(), failed.failure().reason()));
    }
  }

  private Report.Answer ask(LongFunction<Command> command)
      throws InterruptedException, TimeoutException {
    while (true) {
      try {
        return parts.supervisor().ask(command, PATIENCE);
      } catch (FailedException failed) {
        // The supervisor ends the job when too many workers die.
        if (failed.failure().kind() != Failure.Kind.CRASHED) {
          throw failed;
        }
      }
    }
  }
}
