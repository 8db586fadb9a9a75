package dev.fairlead.media.local;

import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.job.Transcode;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.job.Transcodes;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.prepare.EncoderTrials;
import dev.fairlead.pool.DevicePool;

/**
 * Transcodes on the devices of this machine, each on a {@link TranscodeHost} of its own that closes
 * with it. What encoders have promised in one is known in the next.
 */
public final class LocalTranscodes implements Transcodes {
  private final JobOptions options;
  private final EncoderTrials trials = new EncoderTrials();

  public LocalTranscodes(JobOptions options) {
    this.options = options;
  }

  /** Transcodes on the devices of a pool, all else as usual; the pool belongs to the caller. */
  public static LocalTranscodes on(DevicePool pool) {
    return new LocalTranscodes(JobOptions.usual(pool));
  }

  /** Begins at once; the job's options are those of its order. */
  public Transcode submit(JobOrder order) {
    return TranscodeHost.submitAlone(order, trials);
  }

  @Override
  public Transcode submit(TranscodeRequest request, TranscodeListener listener) {
    return submit(JobOrder.of(request, options).withListener(listener));
  }
}
