package dev.fairlead.pool;

import static dev.fairlead.pool.TestingPools.LONG;
import static dev.fairlead.pool.TestingPools.still;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Device;
import dev.fairlead.device.Discovery;
import dev.fairlead.event.PoolListener;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.policy.Candidates;
import dev.fairlead.policy.Choice;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.PlacementPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a pool withstands: foreign code that throws, policies that misbehave. */
@ExtendWith(NoThreadLeft.class)
class PoolHostilityTest {
  private final ManualTicker ticker = new ManualTicker();
  private final TestingBackend backend = new TestingBackend();
  private final Device device = TestingBackend.device(0);

  private DevicePool of(PlacementPolicy policy) {
    return DevicePool.of(List.of(device), still(ticker).withPolicy(policy));
  }

  private PoolOptions withGrace(Duration grace) {
    PoolOptions options = still(ticker);
    return options.withTiming(options.timing().withGrace(grace));
  }

  /** A job whose {@code abandon} throws. */
  private static final class Resentful extends Once {
    @Override
    public void abandon(Throwable reason) {
      super.abandon(reason);
      throw new IllegalStateException("abandon");
    }
  }

  @Test
  void addingADuplicateLeavesNoContextOpen() throws Exception {
    try (DevicePool pool = DevicePool.open(backend.found(List.of(device)), still(ticker))) {
      assertThatThrownBy(() -> pool.add(new Discovery.Found(device, backend)))
          .isInstanceOf(PoolException.DuplicateDevice.class);
    }
    assertThat(backend.contexts())
        .hasSize(2)
        .allSatisfy(context -> assertThat(context.closedOn()).hasSize(1));
  }

  @Test
  void openingWithADuplicateLeavesNoContextOpen() {
    try (DevicePool pool = DevicePool.open(backend.found(List.of(device, device)), still(ticker))) {
      assertThat(pool.devices()).containsExactly(device);
      assertThat(pool.problems()).hasSize(1);
    }
    assertThat(backend.contexts()).hasSize(2);
    Eventually.until(
        "all closed",
        () -> backend.contexts().stream().allMatch(context -> context.closedOn().size() == 1));
  }

  @Test
  void aLeaseThatOutlivesThePoolRefusesToRun() throws Exception {
    DevicePool pool = DevicePool.of(List.of(device), withGrace(Duration.ZERO));
    Lease lease = pool.lease(Demand.any(), LONG);
    CountDownLatch go = new CountDownLatch(1);
    // The thread has not come to its end when the pool is closed.
    pool.fleet().runtimes().getFirst().deviceThread(0).post(() -> Eventually.open(go));
    pool.close();
    var run = Eventually.start(() -> lease.run(slot -> 2));
    try {
      assertThatThrownBy(run::result).isInstanceOf(PoolException.PoolClosed.class);
    } finally {
      go.countDown();
    }
  }

  @Test
  void closingDoesNotCloseAContextThatIsInUse() throws Exception {
    DevicePool pool =
        DevicePool.open(
            backend.found(List.of(device.withSlots(2))), withGrace(Duration.ofMillis(50)));
    Lease one = pool.lease(Demand.any(), LONG);
    Lease two = pool.lease(Demand.any(), LONG);
    one.succeed();
    CountDownLatch in = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    var run =
        Eventually.start(() ->
            two.run(slot -> {
              in.countDown();
              Eventually.open(go);
              return slot.number();
            }));
    Eventually.open(in);
    pool.close();
    boolean closedUnder = backend.contexts().getFirst().closedUnderWork();
    go.countDown();
    assertThat(run.result()).isBetween(0, 1);
    assertThat(closedUnder).isFalse();
  }

  @Test
  void closingDoesNotCloseAContextThatIsBeingSampled() throws Exception {
    CountDownLatch in = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    backend
        .on(device)
        .samples(() -> {
          in.countDown();
          Eventually.open(go);
          return Optional.empty();
        });
    DevicePool pool = DevicePool.open(backend.found(List.of(device)), still(ticker));
    Eventually.open(in);
    var closing = Eventually.close(pool);
    closing.isWaiting();
    go.countDown();
    closing.result();
    assertThat(backend.contexts().getFirst().closedUnderWork()).isFalse();
  }

  @Test
  void aJobWhoseAbandonThrowsDoesNotKeepOthersFromEnding() throws Exception {
    DevicePool pool = DevicePool.of(List.of(device.withMemory(1)), still(ticker));
    Demand all = Demand.any().withMemory(1);
    Lease held = pool.lease(all, LONG);
    Once runs = new Once();
    pool.submit(all, new Resentful());
    pool.submit(all, runs);
    held.succeed();
    Eventually.open(runs.ran);
    Lease again = pool.lease(all, LONG);
    Once waits = new Once();
    pool.submit(all, new Resentful());
    pool.submit(all, waits);
    var closing = Eventually.close(pool);
    assertThat(waits.abandoned.get(5, TimeUnit.SECONDS))
        .isInstanceOf(PoolException.PoolClosed.class);
    again.succeed();
    closing.result();
  }

  @Test
  void aPolicyThatThrowsOnItsSecondLookIsAPolicyFailure() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    PlacementPolicy moody =
        PlacementPolicy.of(
            "moody",
            candidates -> {
              if (calls.incrementAndGet() == 3) {
                throw new IllegalStateException("moody");
              }
              return 0;
            });
    try (DevicePool pool = of(moody)) {
      Lease held = pool.lease(Demand.any(), LONG);
      assertThatThrownBy(() -> pool.tryLease(Demand.any()))
          .isInstanceOf(PoolException.PolicyFailed.class);
      held.succeed();
    }
  }

  @Test
  void aPolicyThatAnswersANegativeIndexIsAPolicyFailure() {
    for (long answer :
        new long[] {Choice.of(-1), Choice.of(-2), 0xFFFFFFFFL, 0x00000001_80000000L}) {
      PlacementPolicy bad =
          new PlacementPolicy() {
            @Override
            public String name() {
              return "bad";
            }

            @Override
            public long place(Candidates candidates) {
              return answer;
            }
          };
      try (DevicePool pool = of(bad)) {
        assertThatThrownBy(() -> pool.lease(Demand.any(), Duration.ofMillis(10)))
            .as(Long.toHexString(answer))
            .isInstanceOf(PoolException.PolicyFailed.class);
      }
    }
  }

  @Test
  void aPolicyThatThrowsALinkageErrorWhileServingDoesNotHitWhoeverEndsALease() throws Exception {
    AtomicBoolean bad = new AtomicBoolean();
    PlacementPolicy moody =
        PlacementPolicy.of(
            "moody",
            candidates -> {
              if (bad.get()) {
                throw new NoClassDefFoundError("moody");
              }
              return candidates.available(0) ? 0 : -1;
            });
    try (DevicePool pool = of(moody)) {
      Lease held = pool.lease(Demand.any(), LONG);
      var waiting = Eventually.start(() -> pool.lease(Demand.any(), LONG));
      waiting.isWaiting();
      bad.set(true);
      held.succeed();
      assertThatThrownBy(waiting::result).isInstanceOf(PoolException.PolicyFailed.class);
    }
  }

  @Test
  void totalsCountARemovedDeviceOnce() throws Exception {
    try (DevicePool pool = DevicePool.of(List.of(device), still(ticker))) {
      AtomicLong done = new AtomicLong();
      AtomicBoolean over = new AtomicBoolean();
      var watching =
          Eventually.start(() -> {
            while (!over.get()) {
              long before = done.get();
              long seen = pool.snapshot().totals().completed();
              long after = done.get();
              assertThat(seen).isBetween(before, after + 1);
            }
            return true;
          });
      for (int i = 1; i <= 3000 && !watching.future().isDone(); i++) {
        Device passing = TestingBackend.device(i);
        pool.add(passing);
        for (int k = 0; k < 5; k++) {
          pool.lease(Demand.any().onlyOn(passing.id()), LONG).succeed();
          done.incrementAndGet();
        }
        pool.remove(passing.id(), LONG);
      }
      over.set(true);
      assertThat(watching.result()).isTrue();
    }
  }

  @Test
  void aHolderOfTwoSlotsIsNamedOnce() throws Exception {
    try (DevicePool pool = DevicePool.of(List.of(device.withSlots(3)), still(ticker))) {
      Lease first = pool.lease(Demand.any(), LONG);
      Lease middle = pool.lease(Demand.any(), LONG);
      Lease last = pool.lease(Demand.any(), LONG);
      first.succeed();
      last.succeed();
      Lease wide = pool.lease(Demand.any().withSlots(2), LONG);
      assertThat(pool.snapshot().devices().getFirst().leases()).hasSize(2);
      wide.succeed();
      middle.succeed();
    }
  }

  @Test
  void everyLeaseThatGetsASlotIsToldOfOnce() throws Exception {
    TestingListener listener = new TestingListener();
    try (DevicePool pool = DevicePool.of(List.of(device), still(ticker).withListener(listener))) {
      Lease held = pool.lease(Demand.any(), LONG);
      var waiting = Eventually.start(() -> pool.lease(Demand.any(), LONG));
      waiting.isWaiting();
      held.succeed();
      waiting.result().succeed();
      assertThat(listener.heard(pool, PoolListener.Event.Placed.class)).hasSize(2);
      assertThat(listener.heard(pool, PoolListener.Event.Ended.class)).hasSize(2);
    }
  }
}
