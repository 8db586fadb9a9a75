package dev.fairlead.media.worker;

import dev.fairlead.media.inspect.Inspection;
import dev.fairlead.media.plan.AudioMode;
import dev.fairlead.media.plan.AudioPlan;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.settings.AudioSettings;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.wire.Chaos;
import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Report;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Makes the first audio track of a source, in this process. */
public final class TestingSound {
  private TestingSound() {}

  /** What was made. */
  record Made(Report.Answer answer, List<Report.SoundPiece> pieces) {}

  static Made make(Path source, AudioMode mode, long first, Path directory)
      throws InterruptedException {
    TranscodePlan plan =
        TranscodePlan.of(
            Inspection.of(source), TranscodeRequest.of(source, directory).withAudio(mode));
    AudioPlan audio = plan.audio().getFirst();
    List<Report.SoundPiece> pieces = new ArrayList<>();
    Report.Answer answer =
        AudioEncoding.run(
            new Command.EncodeAudio(
                1,
                new UnitId(audio.name(), first),
                new AudioSettings(source, audio, plan.from(), plan.to()),
                directory,
                Chaos.NONE),
            report -> pieces.add((Report.SoundPiece) report),
            () -> false);
    return new Made(answer, pieces);
  }

  /** Copies the first track of the first argument into the directory of the second. */
  public static void main(String[] arguments) throws InterruptedException {
    Made made = make(Path.of(arguments[0]), AudioMode.COPY, 0, Path.of(arguments[1]));
    if (!(made.answer() instanceof Report.EncodedSound)) {
      throw new AssertionError(made.answer().toString());
    }
  }
}
