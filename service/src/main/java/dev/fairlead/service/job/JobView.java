package dev.fairlead.service.job;

import dev.fairlead.media.job.JobState;
import dev.fairlead.policy.Priority;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A job as the API shows it.
 *
 * @param reason why it is not running, where that is known
 * @param attempt how often it has begun, or gone on after it was parked
 * @param resumedChunks what of it was there when it went on the last time
 * @param deviceSeconds for how long devices have worked on it
 */
public record JobView(
    String id,
    String name,
    JobState state,
    String reason,
    String tenant,
    Priority priority,
    String input,
    String output,
    Instant createdAt,
    Optional<Instant> startedAt,
    Optional<Instant> endedAt,
    int attempt,
    int resumedChunks,
    double deviceSeconds,
    Optional<ProgressView> progress,
    List<RungView> rungs,
    List<DeviceShare> devices,
    Optional<ErrorView> error) {

  /** How far a job is; an estimate. */
  public record ProgressView(double share, double framesPerSecond, double secondsLeft) {}

  /** A rung of a job that is done. */
  public record RungView(
      String name,
      int width,
      int height,
      long frames,
      int segments,
      long bytes,
      Optional<String> manifest) {}

  /** What a device did of a job. */
  public record DeviceShare(String label, long chunks, double busySeconds, long failures) {}

  /**
   * Why a job has failed.
   *
   * @param exitCode with which {@code transcode} would have ended
   */
  public record ErrorView(int exitCode, String reason) {}

  /**
   * A page of jobs, newest first.
   *
   * @param next for {@code after}, if there are more
   */
  public record JobPage(List<JobView> jobs, Optional<String> next) {}
}
