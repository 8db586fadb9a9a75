package dev.fairlead.media.progress;

import dev.fairlead.media.plan.TranscodePlan;

/** What every part of a job knows: what is to be made of which source, and what is made by now. */
public record JobContext(
    TranscodePlan plan,
    JobStore store,
    SourceStamp source,
    GuardedListener listener,
    WorkTimes clock) {}
