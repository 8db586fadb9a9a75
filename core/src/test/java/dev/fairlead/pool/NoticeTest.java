package dev.fairlead.pool;

import static dev.fairlead.pool.TestingBackend.devices;
import static dev.fairlead.pool.TestingPools.awaitWaiting;
import static dev.fairlead.pool.TestingPools.lease;
import static dev.fairlead.pool.TestingPools.requireAtRest;
import static dev.fairlead.pool.TestingPools.still;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.policy.Demand;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Waiting threads that have no time limit of their own, so that only a notice ends their wait. They
 * stand apart from other tests of waiting, so that a notice that is lost fails one test, and soon.
 */
@ExtendWith(NoThreadLeft.class)
class NoticeTest {
  private final DevicePool pool = DevicePool.of(devices(1), still(new ManualTicker()));

  private Eventually.Started<Lease> waiting() {
    var waiting =
        Eventually.start(() -> pool.lease(Demand.any(), ChronoUnit.FOREVER.getDuration()));
    awaitWaiting(pool, 1);
    waiting.isWaiting();
    return waiting;
  }

  @Test
  void threadsThatWaitAreToldOfTheirLeaseAndOfARefusal() throws Exception {
    Lease held = lease(pool);
    var served = waiting();
    held.succeed();
    Lease next = served.result();

    var refused = waiting();
    var closing = Eventually.close(pool);
    assertThat(refused.future())
        .failsWithin(Eventually.PATIENCE)
        .withThrowableOfType(java.util.concurrent.ExecutionException.class)
        .withCauseInstanceOf(PoolException.PoolClosed.class);
    next.succeed();
    closing.result();
    requireAtRest(pool);
  }
}
