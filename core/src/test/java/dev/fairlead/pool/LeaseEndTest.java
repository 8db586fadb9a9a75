package dev.fairlead.pool;

import static dev.fairlead.pool.TestingPools.LONG;
import static dev.fairlead.pool.TestingPools.entry;
import static dev.fairlead.pool.TestingPools.lease;
import static dev.fairlead.pool.TestingPools.requireAtRest;
import static dev.fairlead.pool.TestingPools.still;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Device;
import dev.fairlead.lease.Lease;
import dev.fairlead.ledger.Ledger;
import dev.fairlead.ledger.TestingLedgers;
import dev.fairlead.policy.Demand;
import dev.fairlead.stats.DeviceStats;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How a lease counts that ends without a word, and what an event that fails leaves behind. */
@ExtendWith(NoThreadLeft.class)
class LeaseEndTest {
  private final ManualTicker ticker = new ManualTicker();
  private final Device device = TestingBackend.device(0);

  private void requireCounts(DevicePool pool, long completed, long failed) {
    DeviceStats stats = entry(pool, device).stats();
    assertThat(stats.completed()).isEqualTo(completed);
    assertThat(stats.failed()).isEqualTo(failed);
    requireAtRest(pool);
  }

  @Test
  void oneUnderWhichWorkHasRunIsASuccess() throws Exception {
    try (DevicePool pool = DevicePool.of(List.of(device), still(ticker))) {
      try (Lease lease = lease(pool)) {
        assertThat(lease.<Integer, RuntimeException>run(slot -> 3)).isEqualTo(3);
      }
      requireCounts(pool, 1, 0);
    }
  }

  /** Whoever has the result may close the lease at once, and is not to come too early for that. */
  @Test
  void theResultComesOnlyWhenTheBooksHaveIt() throws Exception {
    try (DevicePool pool = DevicePool.of(List.of(device), still(ticker))) {
      Ledger ledger = pool.fleet().ledger(0);
      CompletableFuture<Thread> deviceThread = new CompletableFuture<>();
      CountDownLatch goOn = new CountDownLatch(1);
      AtomicBoolean returned = new AtomicBoolean();
      var caller =
          Eventually.start(() -> {
            try (Lease lease = lease(pool)) {
              lease.run(slot -> {
                deviceThread.complete(Thread.currentThread());
                Eventually.open(goOn);
                return 3;
              });
              returned.set(true);
              return true;
            }
          });
      Eventually.until("work runs", deviceThread::isDone);
      TestingLedgers.whileLocked(
          ledger,
          () -> {
            goOn.countDown();
            Eventually.until(
                "the thread wants to note it",
                () -> Eventually.isIn(deviceThread.join(), "callEnded"));
            for (int wake = 0; wake < 100 && !returned.get(); wake++) {
              LockSupport.unpark(caller.thread());
              LockSupport.parkNanos(100_000);
            }
            assertThat(returned).isFalse();
          });
      assertThat(caller.result()).isTrue();
      requireCounts(pool, 1, 0);
    }
  }

  @Test
  void oneUnderWhichWorkHasThrownIsAFailure() throws Exception {
    try (DevicePool pool = DevicePool.of(List.of(device), still(ticker))) {
      assertThatThrownBy(
              () -> {
                try (Lease lease = lease(pool)) {
                  lease.run(slot -> {
                    throw new IllegalStateException("no");
                  });
                }
              })
          .isInstanceOf(IllegalStateException.class);
      requireCounts(pool, 0, 1);
    }
  }

  @Test
  void oneOfWhoseWorkSomeHasThrownIsAFailure() throws Exception {
    try (DevicePool pool = DevicePool.of(List.of(device), still(ticker))) {
      try (Lease lease = lease(pool)) {
        lease.<Integer, RuntimeException>run(slot -> 3);
        assertThatThrownBy(() ->
                lease.run(slot -> {
                  throw new IllegalStateException("no");
                }))
            .isInstanceOf(IllegalStateException.class);
        lease.<Integer, RuntimeException>run(slot -> 3);
      }
      requireCounts(pool, 0, 1);
    }
  }

  @Test
  void oneUnderWhichNothingHasRunIsAFailure() throws Exception {
    try (DevicePool pool = DevicePool.of(List.of(device), still(ticker))) {
      lease(pool).close();
      requireCounts(pool, 0, 1);
    }
  }

  @Test
  void workThatRunsThroughThePoolIsASuccess() throws Exception {
    try (DevicePool pool = DevicePool.of(List.of(device), still(ticker))) {
      assertThat(pool.<Integer, RuntimeException>run(Demand.any(), slot -> 3)).isEqualTo(3);
      requireCounts(pool, 1, 0);
    }
  }

  /** A stage that cannot be asked. */
  private static final class Refusing extends CompletableFuture<String> {
    @Override
    public CompletableFuture<String> whenComplete(
        BiConsumer<? super String, ? super Throwable> action) {
      throw new IllegalStateException("this stage takes no questions");
    }
  }

  @Test
  void anEventThatCannotBeAskedGivesTheSlotBack() throws Exception {
    try (DevicePool pool = DevicePool.of(List.of(device), still(ticker))) {
      Lease lease = lease(pool);
      assertThatThrownBy(() -> lease.endWith(new Refusing()))
          .isInstanceOf(IllegalStateException.class);
      requireCounts(pool, 0, 1);
      pool.lease(Demand.any(), LONG).succeed();
      requireCounts(pool, 1, 1);
    }
  }

  @Test
  void anEventEndsALeaseThatIsClosedBefore() throws Exception {
    try (DevicePool pool = DevicePool.of(List.of(device), still(ticker))) {
      CompletableFuture<String> event = new CompletableFuture<>();
      try (Lease lease = lease(pool)) {
        lease.endWith(event);
      }
      assertThat(pool.tryLease(Demand.any())).isEmpty();
      event.complete("done");
      requireCounts(pool, 1, 0);
    }
  }

  @Test
  void oneThatEndsWhileItsWorkRunsHoldsItsSlotUntilTheWorkHasReturned() throws Exception {
    try (DevicePool pool = DevicePool.of(List.of(device), still(ticker))) {
      CountDownLatch inside = new CountDownLatch(1);
      CountDownLatch goOn = new CountDownLatch(1);
      Lease lease = lease(pool);
      var caller =
          Eventually.start(() ->
              lease.<Integer, RuntimeException>run(slot -> {
                inside.countDown();
                Eventually.open(goOn);
                return 3;
              }));
      Eventually.open(inside);
      lease.succeed();
      assertThat(pool.tryLease(Demand.any())).isEmpty();
      goOn.countDown();
      assertThat(caller.result()).isEqualTo(3);
      Eventually.until("the slot is free", () -> entry(pool, device).leases().isEmpty());
      requireCounts(pool, 1, 0);
      pool.tryLease(Demand.any()).orElseThrow().succeed();
    }
  }
}
