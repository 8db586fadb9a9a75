package dev.fairlead.media.job;

import dev.fairlead.media.plan.TranscodeRequest;

/** Takes requests to transcode. */
public interface Transcodes {
  /** Begins at once; errors come out of {@link Transcode#await}. */
  Transcode submit(TranscodeRequest request, TranscodeListener listener);

  /** The same without a listener. */
  default Transcode submit(TranscodeRequest request) {
    return submit(request, TranscodeListener.none());
  }
}
