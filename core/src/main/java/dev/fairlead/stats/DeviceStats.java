package dev.fairlead.stats;

import java.time.Duration;

/**
 * What a device has done, at one moment. Every item placed on it is completed, failed or
 * outstanding; an item that was withdrawn before it started counts nowhere.
 *
 * @param outstanding running and queued items
 * @param reportedRate the moving average per sample, for people
 * @param waits how long those items waited for a slot that could not start at once
 * @param rate work per second of busy time, as placement sees it; NaN when not measured yet
 */
public record DeviceStats(
    long completed,
    long failed,
    int outstanding,
    double reportedRate,
    double rate,
    Latencies.Summary latency,
    Latencies.Summary waits,
    Duration busy) {
  public long dispatched() {
    return completed + failed + outstanding;
  }
}
