package dev.fairlead.media.job;

import dev.fairlead.media.plan.Rung;
import dev.fairlead.media.plan.TranscodePlan;
import org.jspecify.annotations.Nullable;

/** How far a rung is. */
final class RungTally {
  private final Rung rung;
  private final long expected;
  private long frames;
  private int chunks;
  private long bytes;

  RungTally(Rung rung, TranscodePlan plan) {
    this.rung = rung;
    this.expected = plan.expectedFrames().orElse(0);
  }

  void add(JobStore.@Nullable Committed chunk) {
    if (chunk != null) {
      frames += chunk.frames();
      bytes += chunk.bytes();
      chunks++;
    }
  }

  TranscodeListener.RungProgress progress(double seconds) {
    double share = expected == 0 ? 0 : Math.min(1, (double) frames / expected);
    return new TranscodeListener.RungProgress(
        rung.name(), share, frames, chunks, bytes, seconds <= 0 ? 0 : frames / seconds);
  }

  TranscodeResult.RungResult result(Output.Written written) {
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
