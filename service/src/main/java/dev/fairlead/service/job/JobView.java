package dev.fairlead.service.job;

import dev.fairlead.media.job.JobFacts;
import dev.fairlead.media.job.JobState;
import dev.fairlead.media.job.JobStatus;
import dev.fairlead.media.job.TranscodeListener.Event;
import dev.fairlead.media.job.TranscodeListener.RungProgress;
import dev.fairlead.policy.Priority;
import dev.fairlead.service.webhook.Webhooks;
import java.nio.file.Path;
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
 * @param webhook how far others are told of its end, if they are to be
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
    List<JobFacts.Rung> rungs,
    List<JobFacts.DeviceShare> devices,
    Optional<WebhookView> webhook,
    Optional<JobFacts.Failure> error) {
  /** Under which a job's order notes how people are shown it. */
  static final String NAME = "name";

  static JobView of(JobStatus status) {
    JobFacts facts = status.facts();
    return new JobView(
        status.id().value(),
        status.notes().getOrDefault(NAME, sourceName(status.input())),
        status.state(),
        status.reason(),
        status.tenant(),
        status.priority(),
        status.input().toString(),
        status.output().toString(),
        status.id().time(),
        facts.times().started(),
        facts.times().ended(),
        facts.tries().attempt(),
        facts.tries().resumedChunks(),
        facts.deviceSeconds(),
        status.progress().filter(_ -> !status.state().isOver()).map(JobView::progress),
        facts.rungs(),
        facts.devices(),
        Optional.ofNullable(status.notes().get(Webhooks.NOTE)).map(_ -> WebhookView.WAITING),
        facts.failure());
  }

  /** The same, with what its webhook was told. */
  JobView with(WebhookView told) {
    return new JobView(
        id,
        name,
        state,
        reason,
        tenant,
        priority,
        input,
        output,
        createdAt,
        startedAt,
        endedAt,
        attempt,
        resumedChunks,
        deviceSeconds,
        progress,
        rungs,
        devices,
        Optional.of(told),
        error);
  }

  private static String sourceName(Path input) {
    Path file = input.getFileName();
    return file == null ? input.toString() : file.toString();
  }

  private static ProgressView progress(Event.Progress progress) {
    List<RungProgress> rungs = progress.rungs();
    return new ProgressView(
        rungs.stream().mapToDouble(RungProgress::share).average().orElse(0),
        rungs.stream().mapToDouble(RungProgress::framesPerSecond).sum(),
        rungs.stream().mapToDouble(RungProgress::secondsLeft).max().orElse(0));
  }

  /** How far a job is; an estimate. */
  public record ProgressView(double share, double framesPerSecond, double secondsLeft) {}

  /**
   * A page of jobs, newest first.
   *
   * @param next for {@code after}, if there are more
   */
  public record JobPage(List<JobView> jobs, Optional<String> next) {}
}
