package dev.fairlead.media.json;

import dev.fairlead.media.job.JobState;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.policy.Priority;
import dev.fairlead.policy.Tenant;

/** An entry of a job's log; all of them in their order say how the job is to go on. */
public sealed interface JobEntry {
  /**
   * The first: all that is needed to run the job.
   *
   * @param strict whether a source that ends early or is damaged fails it
   * @param toSink whether its packets go to its owner's program and not to files
   */
  record Submitted(
      TranscodeRequest request, Tenant tenant, Priority priority, boolean strict, boolean toSink)
      implements JobEntry {
    public Submitted with(Priority other) {
      return new Submitted(request, tenant, other, strict, toSink);
    }

    public Submitted with(TranscodeRequest other) {
      return new Submitted(other, tenant, priority, strict, toSink);
    }
  }

  /** Its owner has changed how urgent it is. */
  record Urgency(Priority priority) implements JobEntry {}

  /** Its owner has stopped it. */
  record Paused() implements JobEntry {}

  /** Its owner has it go on. */
  record Resumed() implements JobEntry {}

  /** It stands otherwise than before, and this is why where that is known. */
  record Changed(JobState state, String reason) implements JobEntry {}
}
