package dev.fairlead.doctor.check;

import java.time.Duration;

/** One thing that is looked at. */
public interface Check {
  /** Its name, the same on every machine. */
  String id();

  /** Whether others that use the device may notice it: such checks run only when asked for. */
  default boolean disturbs() {
    return false;
  }

  /** How long it may take; after that its process is ended. */
  default Duration patience() {
    return Duration.ofMinutes(1);
  }

  /** Looks. What is thrown is a failure of the device. */
  Finding run(Subject subject) throws Exception;
}
