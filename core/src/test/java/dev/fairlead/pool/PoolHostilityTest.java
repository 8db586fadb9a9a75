package dev.fairlead.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.*;
import dev.fairlead.policy.*;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a pool withstands: foreign code that throws, policies that misbehave. */
@ExtendWith(NoThreadLeft.class)
@SuppressWarnings({
  "UnusedVariable",
  "MissingOverride",
  "EmptyCatch",
  "UnnecessaryAsync",
  "ReferenceEquality",
  "FutureReturnValueIgnored",
  "unchecked",
  "rawtypes"
})
class PoolHostilityTest {
  static final Duration LONG = Duration.ofSeconds(30);
  final ManualTicker ticker = new ManualTicker();
  final TestingBackend backend = new TestingBackend();

  PoolOptions manual() {
    return PoolOptions.usual()
        .withTicker(ticker)
        .withTiming(Timing.usual().withPoll(Duration.ofHours(1)).withGrace(Duration.ofSeconds(2)));
  }

  @Test
  void addingADuplicateLeavesNoContextOpen() throws Exception {
    Device device = TestingBackend.device(0);
    try (DevicePool pool = DevicePool.open(backend.found(List.of(device)), manual())) {
      assertThatThrownBy(() -> pool.add(new Discovery.Found(device, backend)))
          .isInstanceOf(PoolException.DuplicateDevice.class);
    }
    assertThat(backend.contexts()).allSatisfy(c -> assertThat(c.closedOn()).hasSize(1));
  }

  @Test
  void openingWithADuplicateLeavesNoContextOpen() throws Exception {
    Device device = TestingBackend.device(0);
    try {
      DevicePool.open(backend.found(List.of(device, device)), manual()).close();
    } catch (PoolException expected) {
    }
    Eventually.until(
        "all closed", () -> backend.contexts().stream().allMatch(c -> c.closedOn().size() == 1));
  }

  @Test
  void aLeaseThatOutlivesThePoolRefusesToRun() throws Exception {
    DevicePool pool =
        DevicePool.of(
            TestingBackend.devices(1),
            manual().withTiming(Timing.usual().withGrace(Duration.ZERO)));
    Lease lease = pool.lease(Demand.any(), LONG);
    lease.run(slot -> 1);
    pool.close();
    var run = Eventually.start(() -> lease.run(slot -> 2));
    assertThatThrownBy(run::result).isInstanceOf(PoolException.class);
  }

  @Test
  void closingDoesNotCloseAContextThatIsInUse() throws Exception {
    Device device = TestingBackend.device(0).withSlots(2);
    DevicePool pool =
        DevicePool.open(
            backend.found(List.of(device)),
            manual().withTiming(Timing.usual().withGrace(Duration.ofMillis(50))));
    CountDownLatch go = new CountDownLatch(1);
    Lease one = pool.lease(Demand.any(), LONG);
    Lease two = pool.lease(Demand.any(), LONG);
    one.succeed();
    CountDownLatch in = new CountDownLatch(1);
    var run =
        Eventually.start(() ->
            two.run(slot -> {
              in.countDown();
              Eventually.open(go);
              return slot.lane();
            }));
    Eventually.open(in);
    pool.close();
    boolean closedUnder = backend.contexts().get(0).closedUnderWork();
    go.countDown();
    System.out.println("lane " + run.result());
    assertThat(closedUnder).isFalse();
  }

  @Test
  void closingDoesNotCloseAContextThatIsBeingSampled() throws Exception {
    Device device = TestingBackend.device(0);
    CountDownLatch in = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    backend
        .on(device)
        .samples(() -> {
          in.countDown();
          Eventually.open(go);
          return Optional.empty();
        });
    DevicePool pool =
        DevicePool.open(
            backend.found(List.of(device)),
            manual().withTiming(Timing.usual().withGrace(Duration.ofSeconds(3))));
    Eventually.open(in);
    var closing =
        Eventually.start(() -> {
          pool.close();
          return 0;
        });
    closing.isWaiting();
    go.countDown();
    closing.result();
    assertThat(backend.contexts().get(0).closedUnderWork()).isFalse();
  }

  @Test
  void aJobWhoseAbandonThrowsDoesNotKeepOthersFromEnding() throws Exception {
    DevicePool pool = DevicePool.of(List.of(TestingBackend.device(0).withMemory(1)), manual());
    Lease held = pool.lease(Demand.any().withMemory(1), LONG);
    Once bad =
        new Once() {
          @Override
          public void abandon(Throwable reason) {
            super.abandon(reason);
            throw new IllegalStateException("abandon");
          }
        };
    Once good = new Once();
    pool.submit(Demand.any().withMemory(1), bad);
    pool.submit(Demand.any().withMemory(1), good);
    try {
      held.succeed(); // bad runs, good runs
    } finally {
    }
    Eventually.open(good.ran);
    Lease again = pool.lease(Demand.any().withMemory(1), LONG);
    Once bad2 =
        new Once() {
          @Override
          public void abandon(Throwable reason) {
            super.abandon(reason);
            throw new IllegalStateException("abandon");
          }
        };
    Once good2 = new Once();
    pool.submit(Demand.any().withMemory(1), bad2);
    pool.submit(Demand.any().withMemory(1), good2);
    var closing =
        Eventually.start(() -> {
          pool.close();
          return 0;
        });
    assertThat(good2.abandoned.get(5, TimeUnit.SECONDS))
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
            c -> {
              if (calls.incrementAndGet() == 3) throw new IllegalStateException("moody");
              return 0;
            });
    try (DevicePool pool = DevicePool.of(TestingBackend.devices(1), manual().withPolicy(moody))) {
      Lease held = pool.lease(Demand.any(), LONG);
      assertThatThrownBy(() -> pool.tryLease(Demand.any()))
          .isInstanceOf(PoolException.PolicyFailed.class);
      held.succeed();
    }
  }

  @Test
  void aPolicyThatAnswersANegativeIndexIsAPolicyFailure() throws Exception {
    for (long answer :
        new long[] {Choice.of(-1), Choice.of(-2), 0xFFFFFFFFL, 0x00000001_80000000L}) {
      PlacementPolicy bad =
          new PlacementPolicy() {
            public String name() {
              return "bad";
            }

            public long place(Candidates candidates) {
              return answer;
            }
          };
      try (DevicePool pool = DevicePool.of(TestingBackend.devices(1), manual().withPolicy(bad))) {
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
            c -> {
              if (bad.get()) throw new NoClassDefFoundError("moody");
              return c.available(0) ? 0 : -1;
            });
    try (DevicePool pool = DevicePool.of(TestingBackend.devices(1), manual().withPolicy(moody))) {
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
    try (DevicePool pool = DevicePool.of(TestingBackend.devices(1), manual())) {
      AtomicLong done = new AtomicLong();
      AtomicBoolean over = new AtomicBoolean();
      var watching =
          Eventually.start(() -> {
            long most = 0;
            while (!over.get()) {
              long before = done.get();
              long seen = pool.snapshot().totals().completed();
              long after = done.get();
              if (seen < before - 0 && seen < before) return "lost: " + seen + " of " + before;
              if (seen > after + 1) return "double: " + seen + " of " + after;
            }
            return "fine";
          });
      for (int i = 1; i <= 3000 && !watching.future().isDone(); i++) {
        Device device = TestingBackend.device(i);
        pool.add(device);
        for (int k = 0; k < 5; k++) {
          pool.lease(Demand.any().onlyOn(device.id()), LONG).succeed();
          done.incrementAndGet();
        }
        pool.remove(device.id(), LONG);
      }
      over.set(true);
      assertThat(watching.result()).isEqualTo("fine");
    }
  }

  @Test
  void aHolderOfTwoSlotsIsNamedOnce() throws Exception {
    Device device = TestingBackend.device(0).withSlots(3);
    try (DevicePool pool = DevicePool.of(List.of(device), manual())) {
      Lease a = pool.lease(Demand.any(), LONG);
      Lease b = pool.lease(Demand.any(), LONG);
      Lease c = pool.lease(Demand.any(), LONG);
      a.succeed();
      c.succeed();
      Lease wide = pool.lease(Demand.any().withSlots(2), LONG);
      assertThat(pool.snapshot().devices().get(0).leases()).hasSize(2);
      wide.succeed();
      b.succeed();
    }
  }

  @Test
  void everyLeaseThatGetsASlotIsToldOfOnce() throws Exception {
    AtomicInteger placed = new AtomicInteger();
    AtomicInteger ended = new AtomicInteger();
    try (DevicePool pool =
        DevicePool.of(
            TestingBackend.devices(1),
            manual()
                .withListener(event -> {
                  if (event instanceof PoolListener.Event.Placed) placed.incrementAndGet();
                  if (event instanceof PoolListener.Event.Ended) ended.incrementAndGet();
                }))) {
      Lease held = pool.lease(Demand.any(), LONG);
      var waiting = Eventually.start(() -> pool.lease(Demand.any(), LONG));
      waiting.isWaiting();
      held.succeed();
      waiting.result().succeed();
      assertThat(placed.get()).isEqualTo(ended.get()).isEqualTo(2);
    }
  }
}
