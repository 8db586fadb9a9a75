package dev.fairlead.media.job;

/**
 * How a job stands.
 *
 * <pre>
 *   QUEUED → RUNNING → DONE | FAILED | CANCELLED
 *   RUNNING → PARKED | PAUSED → RUNNING
 * </pre>
 */
public enum JobState {
  /** Waits for its turn to begin. */
  QUEUED,
  RUNNING,
  /** Stopped by its host at the border of a chunk; goes on by itself. */
  PARKED,
  /** Stopped by its owner, who has it go on. */
  PAUSED,
  DONE,
  FAILED,
  CANCELLED;

  /** Whether it does not change any more. */
  public boolean isOver() {
    return this == DONE || this == FAILED || this == CANCELLED;
  }
}
