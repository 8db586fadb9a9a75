package dev.fairlead.media.job;

import dev.fairlead.media.encode.EncodedAudio;
import dev.fairlead.media.pack.TrackFormat;
import dev.fairlead.media.plan.AudioPlan;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.worker.Command;
import dev.fairlead.media.worker.Failure;
import dev.fairlead.media.worker.Report;
import dev.fairlead.media.worker.WorkerProcess.FailedException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Encodes the audio tracks, one after another, beside the video; a lost track is begun again. */
final class SoundWork {
  private static final Duration PATIENCE = Duration.ofHours(6);

  /** Takes a track that is done. */
  interface Sink {
    void done(AudioLine line, TrackFormat.Audio format, Path file);
  }

  private SoundWork() {}

  static void start(
      Ladder.Parts parts, Sink sink, Runnable end, Consumer<TranscodeException> failure) {
    Thread.ofVirtual()
        .name("audio")
        .start(() -> {
          try {
            for (AudioPlan audio : parts.plan().audio()) {
              encode(parts, new AudioLine(parts.plan(), audio), sink);
            }
            end.run();
          } catch (FailedException failed) {
            failure.accept(JobRun.failure(failed.failure()));
          } catch (TimeoutException | RuntimeException failed) {
            failure.accept(
                new TranscodeException.GaveUp(
                    "The audio cannot be encoded: " + failed.getMessage(), failed));
          } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
          }
        });
  }

  private static void encode(Ladder.Parts parts, AudioLine line, Sink sink)
      throws InterruptedException, TimeoutException {
    UnitId unit = new UnitId(line.audio().name(), 0);
    Path file = parts.store().chunkFile(unit, "audio");
    while (true) {
      try {
        Report.EncodedSound sound =
            (Report.EncodedSound)
                parts
                    .supervisor()
                    .ask(
                        number -> new Command.EncodeAudio(number, unit, line.settings(), file),
                        PATIENCE);
        EncodedAudio audio = sound.audio();
        sink.done(line, line.format(audio), file);
        return;
      } catch (FailedException failed) {
        // The supervisor ends the job when too many workers die.
        if (failed.failure().kind() != Failure.Kind.CRASHED) {
          throw failed;
        }
      }
    }
  }
}
