package dev.fairlead.pool;

import static dev.fairlead.pool.TestingBackend.devices;
import static dev.fairlead.pool.TestingPools.awaitWaiting;
import static dev.fairlead.pool.TestingPools.lease;
import static dev.fairlead.pool.TestingPools.requireAtRest;
import static dev.fairlead.pool.TestingPools.still;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.PlacementPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Leases that come as futures. */
@ExtendWith(NoThreadLeft.class)
class AsyncLeaseTest {
  private final ManualTicker ticker = new ManualTicker();
  private final Device first = devices(2).get(0);
  private final Device second = devices(2).get(1);

  private DevicePool open(Device... some) {
    return DevicePool.of(List.of(some), still(ticker));
  }

  private static Lease await(CompletableFuture<Lease> future) throws Exception {
    return future.get(20, TimeUnit.SECONDS);
  }

  private static Throwable failure(CompletableFuture<Lease> future) throws Exception {
    try {
      Lease lease = await(future);
      throw new AssertionError("There is a lease: " + lease);
    } catch (ExecutionException failed) {
      return Objects.requireNonNull(failed.getCause());
    }
  }

  @Test
  void isThereAtOnceWhereADeviceIsFree() throws Exception {
    try (DevicePool pool = open(first, second)) {
      CompletableFuture<Lease> future = pool.leaseAsync(Demand.any().onlyOn(second.id()));
      assertThat(future).isDone();
      try (Lease lease = await(future)) {
        assertThat(lease.device()).isEqualTo(second);
        assertThat(lease.index()).isEqualTo(1);
        int answer = lease.run(slot -> 42);
        assertThat(answer).isEqualTo(42);
      }
      requireAtRest(pool);
    }
  }

  @Test
  void comesWhenADeviceIsFreeAndOnNoThreadOfADevice() throws Exception {
    try (DevicePool pool = open(first)) {
      CountDownLatch queued = new CountDownLatch(1);
      Once job =
          new Once() {
            @Override
            public void run(Lease lease) {
              Eventually.open(queued);
              super.run(lease);
            }
          };
      pool.submit(Demand.any(), job);
      CompletableFuture<Lease> future = pool.leaseAsync(Demand.any());
      CompletableFuture<Boolean> onItsThread =
          future.thenApply(lease -> Thread.currentThread().getName().startsWith("fairlead"));
      awaitWaiting(pool, 1);
      assertThat(future).isNotDone();
      queued.countDown();

      assertThat(onItsThread.get(20, TimeUnit.SECONDS)).isFalse();
      await(future).succeed();
      requireAtRest(pool);
    }
  }

  @Test
  void comeInTheOrderOfTheirAsking() throws Exception {
    try (DevicePool pool = open(first)) {
      Lease held = lease(pool);
      List<CompletableFuture<Lease>> futures = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        ticker.advance(Duration.ofMillis(1));
        futures.add(pool.leaseAsync(Demand.any()));
      }
      held.succeed();
      for (int i = 0; i < futures.size(); i++) {
        Lease lease = await(futures.get(i));
        assertThat(futures.subList(i + 1, futures.size()))
            .noneSatisfy(each -> assertThat(each).isDone());
        lease.succeed();
      }
      requireAtRest(pool);
    }
  }

  @Test
  void aFutureThatIsCancelledWaitsNoMore() throws Exception {
    try (DevicePool pool = open(first)) {
      Lease held = lease(pool);
      CompletableFuture<Lease> future = pool.leaseAsync(Demand.any());
      awaitWaiting(pool, 1);
      assertThat(future.cancel(true)).isTrue();
      assertThat(pool.snapshot().waiting()).isZero();
      assertThat(pool.snapshot().refusals().withdrawn()).isEqualTo(1);
      held.succeed();
      requireAtRest(pool);
      lease(pool).succeed();
    }
  }

  @Test
  void aTimeLimitEndsTheWait() throws Exception {
    try (DevicePool pool = open(first)) {
      Lease held = lease(pool);
      CompletableFuture<Lease> future =
          pool.leaseAsync(Demand.any()).orTimeout(1, TimeUnit.MILLISECONDS);
      assertThat(failure(future)).isInstanceOf(java.util.concurrent.TimeoutException.class);
      awaitWaiting(pool, 0);
      held.succeed();
      requireAtRest(pool);
    }
  }

  @Test
  void aLeaseThatComesToAFutureThatIsBeingCancelledIsGivenBack() throws Exception {
    try (DevicePool pool = open(first)) {
      for (int i = 0; i < 2_000; i++) {
        Lease held = lease(pool);
        CompletableFuture<Lease> future = pool.leaseAsync(Demand.any());
        // The holder's end and the cancelling meet.
        Thread ending = Thread.ofPlatform().start(held::succeed);
        future.cancel(true);
        ending.join();
        if (!future.isCancelled()) {
          await(future).succeed();
        }
      }
      requireAtRest(pool);
    }
  }

  @Test
  void aLeaseThatIsGivenAfterTheFutureWasCancelledIsGivenBack() throws Exception {
    try (DevicePool pool = open(first)) {
      Lease held = lease(pool);
      CompletableFuture<Lease> future = pool.leaseAsync(Demand.any());
      // The policy is asked when the device has become free, so that the choice comes too late.
      pool.use(
          PlacementPolicy.of(
              "cancelling",
              candidates -> {
                future.cancel(true);
                return candidates.available(0) ? 0 : -1;
              }));
      held.succeed();
      assertThat(future).isCancelled();
      requireAtRest(pool);
    }
  }

  @Test
  void closingThePoolRefusesThoseThatWait() throws Exception {
    DevicePool pool = open(first);
    Lease held = lease(pool);
    CompletableFuture<Lease> future = pool.leaseAsync(Demand.any());
    awaitWaiting(pool, 1);
    var closing = Eventually.close(pool);
    assertThat(failure(future)).isInstanceOf(PoolException.PoolClosed.class);
    held.succeed();
    closing.result();
    assertThat(failure(pool.leaseAsync(Demand.any()))).isInstanceOf(PoolException.PoolClosed.class);
  }

  @Test
  void aDemandThatNoDeviceCanMeetFailsAtOnceOrWhenTheLastOneThatCouldHasGone() throws Exception {
    try (DevicePool pool = open(first, second)) {
      CompletableFuture<Lease> never = pool.leaseAsync(Demand.any().withSlots(7));
      assertThat(never).isCompletedExceptionally();
      assertThat(failure(never)).isInstanceOf(PoolException.Rejected.class);

      Lease held = lease(pool, first);
      CompletableFuture<Lease> later = pool.leaseAsync(Demand.any().onlyOn(first.id()));
      awaitWaiting(pool, 1);
      assertThat(pool.remove(first.id(), Duration.ZERO)).isFalse();
      held.succeed();
      assertThat(failure(later)).isInstanceOf(PoolException.Rejected.class);
      assertThat(pool.snapshot().refusals().rejected()).isEqualTo(2);
    }
  }

  @Test
  void aPolicyThatThrowsFailsTheFuture() throws Exception {
    try (DevicePool pool = open(first)) {
      pool.use(
          PlacementPolicy.of(
              "broken",
              candidates -> {
                throw new IllegalStateException("broken");
              }));
      assertThatThrownBy(() -> pool.leaseAsync(Demand.any()).join())
          .isInstanceOf(CompletionException.class)
          .hasCauseInstanceOf(PoolException.PolicyFailed.class);
    }
  }

  @Test
  void canBeAskedForOnADevicesOwnThread() throws Exception {
    try (DevicePool pool = open(first)) {
      Lease held = lease(pool);
      CompletableFuture<Lease> future = held.run(slot -> pool.leaseAsync(Demand.any()));
      assertThat(future).isNotDone();
      held.succeed();
      await(future).succeed();
    }
  }

  @Test
  void indicesOutliveTheRemovalOfOthers() throws Exception {
    try (DevicePool pool = open(first, second)) {
      assertThat(pool.remove(first.id(), TestingPools.LONG)).isTrue();
      int third = pool.add(first.withIdentity(DeviceId.of("third"), "third", first.vendor()));
      assertThat(third).isEqualTo(2);
      assertThat(pool.explain(Demand.any()).verdicts())
          .extracting(verdict -> verdict.index() + " " + verdict.device().id())
          .containsExactly("1 " + second.id(), "2 third");
      try (Lease lease = pool.lease(Demand.any().onlyOn(DeviceId.of("third")), TestingPools.LONG)) {
        assertThat(lease.index()).isEqualTo(third);
        lease.succeed();
      }
    }
  }
}
