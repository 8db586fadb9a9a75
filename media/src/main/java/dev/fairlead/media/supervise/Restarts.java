package dev.fairlead.media.supervise;

/** Counts the workers of a job that had to be started again. Thread-safe. */
public interface Restarts {
  /** A worker was started again, because the one before ended like this. */
  void restarted(String reason);

  int restarts();
}
