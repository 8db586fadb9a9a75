package dev.fairlead.policy;

import dev.fairlead.device.Bytes;
import dev.fairlead.device.ComputeCapability;
import dev.fairlead.device.Timespan;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How loaded a device is at one moment.
 *
 * @param freeBytes the last polled figure, corrected by what the pool has reserved and released
 *     since; the total less the reservations where a device has not been or cannot be polled
 * @param queueDepth items that the pool has placed there and that have not finished
 * @param activeStreams streams that others run on the device
 * @param age how long ago the device was polled; empty duration where it never was
 * @param sequence how many polls have been answered
 */
public record Load(
    long freeBytes,
    long totalBytes,
    int queueDepth,
    int activeStreams,
    @Nullable ComputeCapability computeCapability,
    Duration age,
    long sequence) {

  @Override
  public String toString() {
    Bytes free = Bytes.of(freeBytes);
    Bytes total = Bytes.of(totalBytes);
    return "%s of %s free, %d %s there, %d %s of others, %s%s"
        .formatted(
            free.besides(total),
            total.besides(free),
            queueDepth,
            queueDepth == 1 ? "item" : "items",
            activeStreams,
            activeStreams == 1 ? "stream" : "streams",
            computeCapability == null ? "" : "compute capability " + computeCapability + ", ",
            sequence == 0 ? "never polled" : "polled " + Timespan.of(age) + " ago");
  }
}
