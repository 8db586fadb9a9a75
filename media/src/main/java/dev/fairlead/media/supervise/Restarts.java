package dev.fairlead.media.supervise;

import dev.fairlead.media.settings.HardwareAddress;

/** Counts the workers of a job that had to be started again. Thread-safe. */
public interface Restarts {
  /** A worker was started again, because the one before ended like this. */
  void restarted(String reason);

  /** A card has failed to decode; the worker ends for that. */
  void failed(HardwareAddress card);

  int restarts();
}
