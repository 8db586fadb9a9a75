package dev.fairlead.media.local;

import dev.fairlead.media.job.ExitCodes;
import dev.fairlead.media.job.JobFacts;
import dev.fairlead.media.job.JobState;
import dev.fairlead.media.job.JobStatus;
import dev.fairlead.media.json.JobEntry;
import dev.fairlead.media.records.JobEnd;
import dev.fairlead.media.records.JobId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A job as the entries of its log leave it.
 *
 * @param job as it stands after all changes
 * @param paused whether its owner has stopped it
 */
record JobReplay(JobId id, JobEntry.Submitted job, boolean paused, JobFacts facts) {
  /** Empty if the first entry is missing. */
  static Optional<JobReplay> of(JobId id, List<JobEntry> entries) {
    if (entries.isEmpty() || !(entries.getFirst() instanceof JobEntry.Submitted job)) {
      return Optional.empty();
    }
    JobReplay now = new JobReplay(id, job, false, JobFacts.NONE);
    for (JobEntry entry : entries) {
      now = now.after(entry);
    }
    return Optional.of(now);
  }

  private JobReplay after(JobEntry entry) {
    return switch (entry) {
      case JobEntry.Submitted _ -> this;
      case JobEntry.Urgency urgency -> with(job.with(urgency.priority()));
      case JobEntry.Paused _ -> new JobReplay(id, job, true, facts);
      case JobEntry.Resumed _ -> new JobReplay(id, job, false, facts);
      case JobEntry.Changed changed ->
          changed.state() == JobState.RUNNING ? run(changed.at()) : this;
      case JobEntry.Worked worked -> new JobReplay(id, job, paused, worked.facts());
    };
  }

  private JobReplay with(JobEntry.Submitted other) {
    return new JobReplay(id, other, paused, facts);
  }

  /** What was to be thrown away is gone when it runs; what is there now is its own. */
  private JobReplay run(Optional<Instant> at) {
    JobFacts open = facts.withoutEnd();
    JobFacts more =
        new JobFacts(
            new JobFacts.Times(open.times().started().or(() -> at), Optional.empty()),
            new JobFacts.Tries(open.tries().attempt() + 1, open.tries().resumedChunks()),
            open.devices(),
            open.rungs(),
            open.failure());
    return new JobReplay(id, job.with(job.request().withRestart(false)), paused, more);
  }

  /** How it stands if it has ended. */
  JobStatus ended(JobEnd end) {
    JobState state =
        switch (end) {
          case JobEnd.Done _ -> JobState.DONE;
          case JobEnd.Failed _ -> JobState.FAILED;
          case JobEnd.Cancelled _ -> JobState.CANCELLED;
        };
    return new JobStatus(
        id,
        job.request().input(),
        job.request().output(),
        state,
        end instanceof JobEnd.Failed failed ? failed.reason() : "",
        job.tenant().name(),
        job.priority(),
        Optional.empty(),
        end instanceof JobEnd.Failed failed ? failedFor(failed.reason()) : facts,
        job.notes());
  }

  /** The first form of records has no exit codes. */
  private JobFacts failedFor(String reason) {
    JobFacts.Failure unknown = new JobFacts.Failure(ExitCodes.OWN_ERROR, reason);
    return new JobFacts(
        facts.times(),
        facts.tries(),
        facts.devices(),
        facts.rungs(),
        facts.failure().or(() -> Optional.of(unknown)));
  }
}
