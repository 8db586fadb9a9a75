package dev.fairlead.media.job;

import dev.fairlead.media.records.JobId;
import dev.fairlead.policy.Priority;

/** A transcode that goes on. Thread-safe. */
public interface Transcode {
  JobId id();

  /** How it stands, and how far it is. */
  JobStatus status();

  /**
   * Waits for its end; throws a {@link TranscodeException} if that is not a good one. A host that
   * is closed parks its jobs, which is no good end either.
   */
  TranscodeResult await() throws InterruptedException;

  /** Stops it soon; the same request goes on from there. */
  void cancel();

  /**
   * Stops it when what runs is committed, until {@link #resume}; its worker ends, and it takes
   * neither memory nor a place.
   *
   * @throws HostException.WrongState if it is over
   */
  void pause();

  /**
   * Has it go on when its turn comes.
   *
   * @throws HostException.WrongState if it is over
   */
  void resume();

  /** Changes how urgent it is among the jobs of its tenant. */
  void priority(Priority value);
}
