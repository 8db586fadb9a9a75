package dev.fairlead.pool;

import static dev.fairlead.pool.TestingBackend.device;
import static dev.fairlead.pool.TestingPools.LONG;
import static dev.fairlead.pool.TestingPools.requireAtRest;
import static dev.fairlead.pool.TestingPools.still;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.lease.Lease;
import dev.fairlead.policy.Demand;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A lease that ends while a demand begins to wait: the one sees the other. */
@ExtendWith(NoThreadLeft.class)
class WaitingRaceTest {
  /** The device becomes free as the waiter is about to mark it as awaited. */
  private static final class FreedAsItIsMarked implements Callable<Boolean> {
    @Override
    public Boolean call() throws Exception {
      try (DevicePool pool = DevicePool.of(List.of(device(0)), still(new ManualTicker()))) {
        Lease first = pool.lease(Demand.any(), LONG);
        var waiting = Eventually.start(() -> pool.lease(Demand.any(), LONG));
        Woven.seam().awaitReached();
        first.succeed();
        Woven.seam().letGo();
        waiting.result().succeed();
        requireAtRest(pool);
        return true;
      }
    }
  }

  @Test
  void aDeviceThatIsFreedAsItIsMarkedServesTheWaiter() throws Exception {
    Callable<Boolean> freed =
        Woven.<Callable<Boolean>>heldBefore("Waiter", "mark", "view", FreedAsItIsMarked.class);
    assertThat(freed.call()).isTrue();
  }
}
