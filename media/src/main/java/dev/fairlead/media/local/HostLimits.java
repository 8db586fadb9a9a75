package dev.fairlead.media.local;

import dev.fairlead.device.Device;
import dev.fairlead.pool.DevicePool;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How much a host does at a time.
 *
 * @param jobs how many may run at once
 * @param minFreeBytes jobs are parked while less is left on the disk that they write to; they go on
 *     at twice that
 * @param records where the logs of jobs are, of which a host goes on with those that have no end;
 *     none are written if this is empty
 */
public record HostLimits(int jobs, long minFreeBytes, Optional<Path> records) {
  public static final long USUAL_MIN_FREE_BYTES = 1L << 30;

  /** Jobs beside those that keep every slot busy: one that begins, one that ends. */
  private static final int MORE_JOBS = 2;

  public HostLimits {
    if (jobs < 1) {
      throw new IllegalArgumentException("Fewer than one job at once: " + jobs);
    }
    if (minFreeBytes < 0) {
      throw new IllegalArgumentException("Less than nothing is to be left free: " + minFreeBytes);
    }
  }

  /** As many jobs as keep every slot supplied, and a GiB left free. */
  public static HostLimits usual(DevicePool pool) {
    int slots = pool.devices().stream().mapToInt(Device::slots).sum();
    return new HostLimits(slots + MORE_JOBS, USUAL_MIN_FREE_BYTES, Optional.empty());
  }

  /** No more than that; the usual number is the most. */
  public HostLimits withJobs(int most) {
    return new HostLimits(Math.min(jobs, most), minFreeBytes, records);
  }

  public HostLimits withMinFreeBytes(long other) {
    return new HostLimits(jobs, other, records);
  }

  public HostLimits withRecords(Path directory) {
    return new HostLimits(jobs, minFreeBytes, Optional.of(directory));
  }
}
