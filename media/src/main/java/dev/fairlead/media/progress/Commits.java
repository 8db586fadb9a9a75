package dev.fairlead.media.progress;

import dev.fairlead.media.plan.AudioPlan;
import dev.fairlead.media.plan.SubtitlePlan;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.wire.Caption;
import dev.fairlead.media.wire.EncodedAudio;
import java.util.List;

/** Takes what a job has finished, in any order, on the job's thread. */
public interface Commits {
  /** A chunk of a rung is committed; its file is in the store. */
  void chunk(int rung, UnitId unit);

  /** The next chunks of the output: no other comes before them or between them. */
  void settled(List<Long> chunks);

  /** An audio track is encoded; its pieces are in the store. */
  void sound(AudioPlan audio, EncodedAudio encoded, long pieces);

  /** A subtitle track is read. */
  void subtitles(SubtitlePlan plan, List<Caption> captions);
}
