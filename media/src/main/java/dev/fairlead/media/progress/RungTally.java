package dev.fairlead.media.progress;

import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.job.TranscodeResult;
import dev.fairlead.media.plan.Rung;
import dev.fairlead.media.plan.TranscodePlan;
import org.jspecify.annotations.Nullable;

/** How far a rung is. */
public final class RungTally {
  private final Rung rung;
  private final long expected;
  private long frames;
  private long resumed;
  private int chunks;
  private long bytes;

  public RungTally(Rung rung, TranscodePlan plan) {
    this.rung = rung;
    this.expected = plan.expectedFrames().orElse(0);
  }

  /** A chunk was committed by an earlier run. */
  public void takeUp(JobStore.@Nullable Committed chunk) {
    add(chunk);
    resumed += chunk == null ? 0 : chunk.frames();
  }

  public void add(JobStore.@Nullable Committed chunk) {
    if (chunk != null) {
      frames += chunk.frames();
      bytes += chunk.bytes();
      chunks++;
    }
  }

  /**
   * How far it is.
   *
   * @param all how many chunks there are; negative if that is not known yet
   */
  public TranscodeListener.RungProgress progress(double seconds, int segments, int all) {
    double speed = seconds <= 0 ? 0 : (frames - resumed) / seconds;
    boolean complete = chunks == all;
    TranscodeListener.Status some =
        chunks == 0 ? TranscodeListener.Status.WAITING : TranscodeListener.Status.RUNNING;
    return new TranscodeListener.RungProgress(
        rung.name(),
        complete ? TranscodeListener.Status.COMPLETE : some,
        complete ? 1 : expected == 0 ? 0 : Math.min(1, (double) frames / expected),
        frames,
        chunks,
        segments,
        bytes,
        speed,
        complete || speed <= 0 ? 0 : Math.max(0, expected - frames) / speed);
  }

  public TranscodeResult.RungResult result(RungFiles written) {
    return new TranscodeResult.RungResult(
        rung.name(),
        rung.width(),
        rung.height(),
        frames,
        written.segments().size(),
        written.bytes(),
        written.manifest());
  }
}
