package dev.fairlead.media.job;

import dev.fairlead.media.records.JobId;
import dev.fairlead.policy.Priority;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * A job as it is at one moment.
 *
 * @param tenant whose it is
 * @param reason why it is not running, where that is known
 * @param progress the last that was reported
 * @param notes what its owner wants remembered with it, by name
 */
public record JobStatus(
    JobId id,
    Path input,
    Path output,
    JobState state,
    String reason,
    String tenant,
    Priority priority,
    Optional<TranscodeListener.Event.Progress> progress,
    JobFacts facts,
    Map<String, String> notes) {
  public JobStatus {
    notes = Map.copyOf(notes);
  }

  /** The same job when it is over. */
  public JobStatus ended(JobState how, String why) {
    return new JobStatus(id, input, output, how, why, tenant, priority, progress, facts, notes);
  }
}
