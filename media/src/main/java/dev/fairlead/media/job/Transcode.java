package dev.fairlead.media.job;

/** A transcode that goes on. */
public interface Transcode {
  /** Waits for its end; throws a {@link TranscodeException} if that is not a good one. */
  TranscodeResult await() throws InterruptedException;

  /** Stops it soon; the same request goes on from there. */
  void cancel();
}
