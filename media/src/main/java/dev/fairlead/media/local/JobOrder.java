package dev.fairlead.media.local;

import dev.fairlead.media.job.JobFacts;
import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.job.JobState;
import dev.fairlead.media.job.JobStatus;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.job.TranscodeListener.Event.Progress;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.records.JobId;
import dev.fairlead.policy.Priority;
import dev.fairlead.policy.Tenant;
import java.util.Map;
import java.util.Optional;

/**
 * A job that a host is to do.
 *
 * @param id of this job; an order is given once
 * @param options as those of the host but for what becomes of the result, and how its worker is
 *     kept
 * @param tenant whose job it is
 * @param priority how urgent it is among those of its tenant
 * @param notes what its owner wants remembered with it, by name
 * @param listener takes its events, on a thread of its own
 */
public record JobOrder(
    JobId id,
    TranscodeRequest request,
    JobOptions options,
    Tenant tenant,
    Priority priority,
    Map<String, String> notes,
    TranscodeListener listener) {
  public JobOrder {
    notes = Map.copyOf(notes);
  }

  public static JobOrder of(TranscodeRequest request, JobOptions options) {
    return new JobOrder(
        JobId.create(),
        request,
        options,
        Tenant.of("default"),
        Priority.NORMAL,
        Map.of(),
        TranscodeListener.none());
  }

  /** How it stands, as far as its host knows. */
  JobStatus status(
      JobState state, String reason, Priority now, Optional<Progress> progress, JobFacts facts) {
    return new JobStatus(
        id,
        request.input(),
        request.output(),
        state,
        reason,
        tenant.name(),
        now,
        progress,
        facts,
        notes);
  }

  public JobOrder withTenant(Tenant other) {
    return new JobOrder(id, request, options, other, priority, notes, listener);
  }

  public JobOrder withPriority(Priority other) {
    return new JobOrder(id, request, options, tenant, other, notes, listener);
  }

  public JobOrder withNotes(Map<String, String> others) {
    return new JobOrder(id, request, options, tenant, priority, others, listener);
  }

  public JobOrder withListener(TranscodeListener other) {
    return new JobOrder(id, request, options, tenant, priority, notes, other);
  }
}
