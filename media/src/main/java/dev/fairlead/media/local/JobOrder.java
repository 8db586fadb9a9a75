package dev.fairlead.media.local;

import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.records.JobId;
import dev.fairlead.policy.Priority;
import dev.fairlead.policy.Tenant;

/**
 * A job that a host is to do.
 *
 * @param id of this job; an order is given once
 * @param options as those of the host but for what becomes of the result, and how its worker is
 *     kept
 * @param tenant whose job it is
 * @param priority how urgent it is among those of its tenant
 * @param listener takes its events, on a thread of its own
 */
public record JobOrder(
    JobId id,
    TranscodeRequest request,
    JobOptions options,
    Tenant tenant,
    Priority priority,
    TranscodeListener listener) {
  public static JobOrder of(TranscodeRequest request, JobOptions options) {
    return new JobOrder(
        JobId.create(),
        request,
        options,
        Tenant.of("default"),
        Priority.NORMAL,
        TranscodeListener.none());
  }

  public JobOrder withTenant(Tenant other) {
    return new JobOrder(id, request, options, other, priority, listener);
  }

  public JobOrder withPriority(Priority other) {
    return new JobOrder(id, request, options, tenant, other, listener);
  }

  public JobOrder withListener(TranscodeListener other) {
    return new JobOrder(id, request, options, tenant, priority, other);
  }
}
