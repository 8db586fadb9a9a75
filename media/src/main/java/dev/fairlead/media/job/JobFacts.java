package dev.fairlead.media.job;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What is known of a job beside how it stands, from its first run to its end.
 *
 * @param devices what each did of it
 * @param rungs what was made, if it is done
 * @param failure why it has failed, if it has
 */
public record JobFacts(
    Times times,
    Tries tries,
    List<DeviceShare> devices,
    List<Rung> rungs,
    Optional<Failure> failure) {
  /** Of a job that has not begun. */
  public static final JobFacts NONE =
      new JobFacts(
          new Times(Optional.empty(), Optional.empty()),
          new Tries(0, 0),
          List.of(),
          List.of(),
          Optional.empty());

  /** When it began for the first time, and when it ended. */
  public record Times(Optional<Instant> started, Optional<Instant> ended) {}

  /**
   * How often it has begun.
   *
   * @param attempt once, and once more whenever it went on
   * @param resumedChunks what of it was there the last time
   */
  public record Tries(int attempt, int resumedChunks) {}

  /** What a device did of it. */
  public record DeviceShare(String label, long chunks, double busySeconds, long failures) {}

  /** A rung that is made. */
  public record Rung(
      String name,
      int width,
      int height,
      long frames,
      int segments,
      long bytes,
      Optional<String> manifest) {}

  /**
   * Why it has failed.
   *
   * @param exitCode with which {@code transcode} would have ended
   */
  public record Failure(int exitCode, String reason) {}

  public JobFacts {
    devices = List.copyOf(devices);
    rungs = List.copyOf(rungs);
  }

  /** The same of a job that has not ended. */
  public JobFacts withoutEnd() {
    Times open = new Times(times.started, Optional.empty());
    return new JobFacts(open, tries, devices, List.of(), Optional.empty());
  }

  /** For how long devices have worked on it. */
  public double deviceSeconds() {
    return devices.stream().mapToDouble(DeviceShare::busySeconds).sum();
  }
}
