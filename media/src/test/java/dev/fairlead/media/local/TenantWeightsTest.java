package dev.fairlead.media.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.FairShares;
import dev.fairlead.policy.Tenant;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.PoolOptions;
import dev.fairlead.units.Party;
import dev.fairlead.units.ServiceOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The weight that an order names is what its job has in the queue. The jobs wait for their disk, so
 * that there is no worker: the test offers units in their place, each of which takes a second of a
 * clock that it moves.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class TenantWeightsTest {
  private static final int UNITS = 400;
  private static final int UNTIL = 200;

  @TempDir private Path directory;

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger begun = new AtomicInteger();
  private final CompletableFuture<FairShares> books = new CompletableFuture<>();

  @Test
  void devicesAreSharedByTheWeightsOfTenantsWhateverNumberOfJobsEachHas() throws Exception {
    PoolOptions manual = PoolOptions.usual().withTicker(nanos::get);
    try (DevicePool pool = DevicePool.of(List.of(Device.of(DeviceKind.SIMULATED, 0)), manual);
        TranscodeHost host =
            TranscodeHost.open(
                JobOptions.usual(pool), HostLimits.usual(pool).withMinFreeBytes(1L << 62))) {
      Tenant studio = new Tenant("studio", 3);
      Tenant school = new Tenant("school", 1);
      List<Party> parties =
          List.of(
              join(host, "one", studio),
              join(host, "two", school),
              join(host, "three", school),
              join(host, "four", school));
      parties.forEach(Party::park);
      parties.forEach(party -> offer(host, party));
      parties.forEach(Party::goOn);

      FairShares shares = books.get(1, TimeUnit.MINUTES);
      double all = shares.tenants().stream().mapToDouble(FairShares.Share::chargedSeconds).sum();
      assertThat(all).as("seconds").isCloseTo(UNTIL, within(2.0));
      assertThat(charged(shares, studio) / all)
          .as("the share of 3 : 1")
          .isCloseTo(0.75, within(0.01));
      parties.forEach(Party::cancelAndClose);
      host.cancelAndClose();
    }
  }

  private static double charged(FairShares shares, Tenant tenant) {
    return shares.tenants().stream()
        .filter(share -> share.tenant().equals(tenant))
        .mapToDouble(FairShares.Share::chargedSeconds)
        .sum();
  }

  private Party join(TranscodeHost host, String name, Tenant tenant) {
    TranscodeRequest request =
        TranscodeRequest.of(directory.resolve("none.mp4"), directory.resolve(name));
    HostedJob job =
        (HostedJob) host.submit(JobOrder.of(request, host.options()).withTenant(tenant));
    return job.join(1, ServiceOptions.usual());
  }

  private void offer(TranscodeHost host, Party party) {
    for (int unit = 0; unit < UNITS; unit++) {
      var _ =
          party.offer(
              0,
              unit,
              Demand.of("encode", 1).withoutContext(),
              (slot, cancelled) -> {
                nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
                if (begun.incrementAndGet() == UNTIL) {
                  books.complete(host.queue().shares());
                }
                return "made";
              });
    }
  }
}
