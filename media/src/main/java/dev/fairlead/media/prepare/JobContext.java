package dev.fairlead.media.prepare;

import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.progress.GuardedListener;
import dev.fairlead.media.progress.JobStore;
import dev.fairlead.media.progress.JobTotals;
import dev.fairlead.media.progress.SourceStamp;
import dev.fairlead.media.progress.WorkTimes;
import dev.fairlead.media.supervise.Supervisor;

/** What the parts of a job share. */
public record JobContext(
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
