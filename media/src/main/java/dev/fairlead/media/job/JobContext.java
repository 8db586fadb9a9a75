package dev.fairlead.media.job;

import dev.fairlead.media.plan.TranscodePlan;

/** What the parts of a job share. */
record JobContext(
    TranscodePlan plan,
    JobOptions options,
    Rehearsal rehearsal,
    JobStore store,
    Supervisor supervisor,
    SourceStamp source,
    Encoders encoders,
    Admission admission,
    GuardedListener listener,
    WorkTimes clock,
    JobTotals totals) {}
