package dev.fairlead.media.json;

import dev.fairlead.media.job.JobFacts;
import dev.fairlead.media.job.JobState;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.policy.Priority;
import dev.fairlead.policy.Tenant;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** An entry of a job's log; all of them in their order say how the job is to go on. */
public sealed interface JobEntry {
  /**
   * The first: all that is needed to run the job.
   *
   * @param strict whether a source that ends early or is damaged fails it
   * @param toSink whether its packets go to its owner's program and not to files
   * @param notes what its owner wants remembered with it, by name
   */
  record Submitted(
      TranscodeRequest request,
      Tenant tenant,
      Priority priority,
      boolean strict,
      boolean toSink,
      Map<String, String> notes)
      implements JobEntry {
    public Submitted {
      notes = Map.copyOf(notes);
    }

    public Submitted with(Priority other) {
      return new Submitted(request, tenant, other, strict, toSink, notes);
    }

    public Submitted with(TranscodeRequest other) {
      return new Submitted(other, tenant, priority, strict, toSink, notes);
    }
  }

  /** Its owner has changed how urgent it is. */
  record Urgency(Priority priority) implements JobEntry {}

  /** Its owner has stopped it. */
  record Paused() implements JobEntry {}

  /** Its owner has it go on. */
  record Resumed() implements JobEntry {}

  /**
   * It stands otherwise than before.
   *
   * @param reason where it is known
   * @param at when; the first form of records does not say
   */
  record Changed(JobState state, String reason, Optional<Instant> at) implements JobEntry {}

  /** What is known of it so far; the last such entry counts. */
  record Worked(JobFacts facts) implements JobEntry {}
}
