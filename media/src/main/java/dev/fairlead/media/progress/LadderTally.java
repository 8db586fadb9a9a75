package dev.fairlead.media.progress;

import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.plan.TranscodePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** How far the rungs and the audio tracks of a job are. One thread at a time. */
public final class LadderTally {
  private final List<RungTally> rungs;
  private final SoundTally sounds;

  public LadderTally(TranscodePlan plan) {
    this.rungs = plan.rungs().stream().map(rung -> new RungTally(rung, plan)).toList();
    this.sounds = new SoundTally(plan);
  }

  public RungTally rung(int rung) {
    return rungs.get(rung);
  }

  public SoundTally sounds() {
    return sounds;
  }

  /**
   * How far everything is.
   *
   * @param segments how many there are of a rung
   * @param chunks how many there are in all; negative if that is not known yet
   */
  public TranscodeListener.Event.Progress progress(
      double seconds, IntUnaryOperator segments, int chunks, long framesDecoded) {
    List<TranscodeListener.RungProgress> all = new ArrayList<>();
    for (int rung = 0; rung < rungs.size(); rung++) {
      all.add(rungs.get(rung).progress(seconds, segments.applyAsInt(rung), chunks));
    }
    return new TranscodeListener.Event.Progress(seconds, all, sounds.progress(), framesDecoded);
  }
}
