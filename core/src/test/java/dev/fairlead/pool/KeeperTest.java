package dev.fairlead.pool;

import java.time.Duration;
import java.util.concurrent.*;
import org.junit.jupiter.api.Test;

class KeeperTest {
  /** B24: an unpark that lands while the keeper parks inside of its tick is lost. */
  @Test
  void closingDoesNotWaitForTheKeepersNextRound() throws Exception {
    CountDownLatch in = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    PoolOptions options =
        PoolOptions.usual()
            .withTiming(Timing.usual().withPoll(Duration.ofHours(1)))
            .withTicker(() -> {
              if (Thread.currentThread().getName().equals("fairlead keeper")) {
                in.countDown();
                Eventually.open(go);
              }
              return System.nanoTime();
            });
    DevicePool pool = DevicePool.of(TestingBackend.devices(1), options);
    Eventually.open(in);
    var closing =
        Eventually.start(() -> {
          pool.close();
          return 0;
        });
    closing.isWaiting();
    go.countDown();
    closing.result();
  }
}
