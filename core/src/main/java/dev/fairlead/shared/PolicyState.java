package dev.fairlead.shared;

import dev.fairlead.notify.Events;
import dev.fairlead.stats.CostModel;
import dev.fairlead.stats.Ticker;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What a pool remembers for its policies between decisions and across changes of the fleet: whose
 * turn it is, the shares, where each thread looks first, the indexes by burden and of queued jobs,
 * the learned costs; and where it tells what happens.
 *
 * @param headStart of a priority over the next lower one, in nanoseconds
 */
public record PolicyState(
    AtomicInteger turn,
    ShareHorizon shares,
    ThreadCursor.Ring cursors,
    BurdenFloors floors,
    QueueIndex queues,
    HostLimits host,
    Events events,
    CostModel costs,
    Ticker ticker,
    long headStart,
    long seed) {
  ThreadCursor cursor() {
    return cursors.mine();
  }
}
