package dev.fairlead.media.progress;

import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.plan.AudioPlan;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.wire.Report;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** How far the audio tracks of a job are. */
public final class SoundTally {
  private final List<String> tracks;
  private final double expected;
  private final Map<String, Double> seconds = new HashMap<>();
  private final Set<String> complete = new HashSet<>();

  public SoundTally(TranscodePlan plan) {
    this.tracks = plan.audio().stream().map(AudioPlan::name).toList();
    this.expected = plan.expectedSeconds();
  }

  public void add(Report.SoundPiece piece) {
    seconds.merge(piece.unit().rung(), piece.seconds(), Math::max);
  }

  /** A track is there, or left out. */
  public void complete(String track) {
    complete.add(track);
  }

  public List<TranscodeListener.SoundProgress> progress() {
    return tracks.stream()
        .map(track -> {
          double done = seconds.getOrDefault(track, 0.0);
          TranscodeListener.Status some =
              done > 0 ? TranscodeListener.Status.RUNNING : TranscodeListener.Status.WAITING;
          boolean all = complete.contains(track);
          return new TranscodeListener.SoundProgress(
              track,
              all ? TranscodeListener.Status.COMPLETE : some,
              all ? 1 : expected <= 0 ? 0 : Math.min(1, done / expected),
              done);
        })
        .toList();
  }
}
