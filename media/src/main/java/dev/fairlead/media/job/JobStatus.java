package dev.fairlead.media.job;

import dev.fairlead.media.records.JobId;
import dev.fairlead.policy.Priority;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A job as it is at one moment.
 *
 * @param tenant whose it is
 * @param reason why it is not running, where that is known
 * @param progress the last that was reported
 */
public record JobStatus(
    JobId id,
    Path input,
    Path output,
    JobState state,
    String reason,
    String tenant,
    Priority priority,
    Optional<TranscodeListener.Event.Progress> progress) {}
