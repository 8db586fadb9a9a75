package dev.fairlead.benchmarks;

import dev.fairlead.device.Device;
import dev.fairlead.device.Discovery;
import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.job.JobState;
import dev.fairlead.media.job.JobStatus;
import dev.fairlead.media.local.HostLimits;
import dev.fairlead.media.local.JobOrder;
import dev.fairlead.media.local.TranscodeHost;
import dev.fairlead.media.plan.LadderSpec;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.records.JobId;
import dev.fairlead.policy.Priority;
import dev.fairlead.policy.Tenant;
import dev.fairlead.pool.DevicePool;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.DoubleSupplier;

/** A host in this process, with the processor's lanes. */
final class HostFleet implements SharedFleet {
  private final Path directory;
  private final Path clip;
  private final String ladder;
  private final FairnessLog log;
  private final DoubleSupplier seconds;
  private final DevicePool pool = DevicePool.open(Discovery.find("cpu"));
  private final TranscodeHost host =
      TranscodeHost.open(JobOptions.usual(pool), HostLimits.usual(pool).withMinFreeBytes(0));
  private final Map<JobId, Tenant> jobs = new HashMap<>();

  /**
   * A host.
   *
   * @param directory of outputs
   * @param log takes what happens, by the clock of these seconds
   */
  HostFleet(Path directory, Path clip, String ladder, FairnessLog log, DoubleSupplier seconds) {
    this.directory = directory;
    this.clip = clip;
    this.ladder = ladder;
    this.log = log;
    this.seconds = seconds;
  }

  @Override
  public JobId submit(Tenant tenant, Priority priority) {
    TranscodeRequest request =
        TranscodeRequest.of(clip, directory.resolve("out" + jobs.size()))
            .withLadder(LadderSpec.parse(ladder));
    JobOrder order = JobOrder.of(request, host.options()).withTenant(tenant).withPriority(priority);
    jobs.put(order.id(), tenant);
    host.submit(order.withListener(log.of(order.id(), tenant, seconds.getAsDouble())));
    return order.id();
  }

  @Override
  public long present(Tenant tenant) {
    long present = 0;
    for (JobStatus job : host.jobs()) {
      if (job.state() == JobState.FAILED) {
        throw new IllegalStateException("A job has failed: " + job.reason());
      }
      present += !job.state().isOver() && tenant.equals(jobs.get(job.id())) ? 1 : 0;
    }
    return present;
  }

  @Override
  public int lanes() {
    return pool.devices().stream().mapToInt(Device::slots).sum();
  }

  @Override
  public void close() {
    try (pool) {
      host.cancelAndClose();
    }
  }
}
