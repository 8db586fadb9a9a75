package dev.fairlead.media.ladder;

import dev.fairlead.media.host.Seat;
import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.prepare.Admission;
import dev.fairlead.media.prepare.Encoders;
import dev.fairlead.media.progress.GuardedListener;
import dev.fairlead.media.progress.JobContext;
import dev.fairlead.media.progress.JobStore;
import dev.fairlead.media.progress.JobTotals;
import dev.fairlead.media.progress.WorkTimes;
import dev.fairlead.media.supervise.Supervisor;

/** What chunks are encoded with: devices, encoders, a worker process. */
public record LadderParts(
    JobContext job,
    JobOptions options,
    Seat seat,
    Rehearsal rehearsal,
    Supervisor supervisor,
    Encoders encoders,
    Admission admission,
    JobTotals totals) {
  TranscodePlan plan() {
    return job.plan();
  }

  JobStore store() {
    return job.store();
  }

  GuardedListener listener() {
    return job.listener();
  }

  WorkTimes clock() {
    return job.clock();
  }
}
