package dev.fairlead.pool;

import static dev.fairlead.pool.TestingBackend.devices;
import static dev.fairlead.pool.TestingPools.LONG;
import static dev.fairlead.pool.TestingPools.awaitHealth;
import static dev.fairlead.pool.TestingPools.fault;
import static dev.fairlead.pool.TestingPools.still;
import static dev.fairlead.pool.TestingPools.tick;
import static dev.fairlead.pool.TestingPools.watched;
import static dev.fairlead.pool.TestingPools.withSlots;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Device;
import dev.fairlead.device.Fault;
import dev.fairlead.event.PoolListener;
import dev.fairlead.health.Health;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.ledger.HeldLease;
import dev.fairlead.ledger.Ledger;
import dev.fairlead.ledger.TestingLedgers;
import dev.fairlead.policy.Candidates;
import dev.fairlead.policy.Choice;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.PlacementPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a pool withstands: books in hand, polls that hang, watchdogs, callbacks. */
@ExtendWith(NoThreadLeft.class)
class PoolPersistenceTest {
  private static final Duration LIMIT = Duration.ofHours(1);

  private final ManualTicker ticker = new ManualTicker();
  private final TestingBackend backend = new TestingBackend();
  private final Device device = TestingBackend.device(0);

  private DevicePool open(PoolOptions options) {
    return DevicePool.open(backend.found(List.of(device)), options);
  }

  /** Work counts as hung after {@link #LIMIT}; nobody is reported before. */
  private PoolOptions limited() {
    PoolOptions options = still(ticker);
    return options.withTiming(options.timing().withOverdue(Duration.ZERO).withWatchdog(LIMIT));
  }

  @Test
  void aThreadThatHoldsADevicesBooksDoesNotStopOthersFromTakingAnIdleDevice() throws Exception {
    List<Device> devices = withSlots(devices(4), 4);
    try (DevicePool pool = DevicePool.of(devices, still(ticker))) {
      // The holder of the first one's books is descheduled.
      TestingLedgers.whileLocked(
          pool.fleet().ledger(0),
          () -> {
            Lease other = Eventually.start(() -> pool.lease(Demand.any(), LONG)).result();
            assertThat(other.device()).isNotEqualTo(devices.getFirst());
            other.succeed();
          });
    }
  }

  @Test
  void whoeverWaitsForADevicesBooksLooksAgainOnceTheyAreFree() throws Exception {
    List<Device> devices = withSlots(devices(2), 4);
    try (DevicePool pool = DevicePool.of(devices, still(ticker))) {
      Lease busy = pool.lease(Demand.any().onlyOn(devices.getLast().id()), LONG);
      Ledger first = pool.fleet().ledger(0);
      HeldLease absent = TestingLedgers.plain();
      AtomicReference<Eventually.Started<Lease>> other = new AtomicReference<>();
      // The holder of the books is descheduled, and lets two in when it goes on.
      TestingLedgers.whileLocked(
          first,
          () -> {
            other.set(Eventually.start(() -> pool.lease(Demand.any(), LONG)));
            Eventually.until(
                "it waits for the books",
                () -> Eventually.isIn(other.get().thread(), "awaitUnlocked"));
            TestingLedgers.enter(first, absent);
            TestingLedgers.enter(first, absent);
          });
      assertThat(other.get().result().device()).isEqualTo(devices.getLast());
      other.get().result().succeed();
      busy.succeed();
      TestingLedgers.whileLocked(
          first,
          () -> {
            TestingLedgers.leave(first, absent);
            TestingLedgers.leave(first, absent);
          });
    }
  }

  @Test
  void aJobDoesNotStayInTheLineOfAnIdleDevice() throws Exception {
    PlacementPolicy picky =
        new PlacementPolicy() {
          @Override
          public String name() {
            return "picky";
          }

          @Override
          public long place(Candidates candidates) {
            if (candidates.eligible(1)) {
              return candidates.available(1) ? Choice.of(1) : Choice.waitFor(1);
            }
            return candidates.available(0) ? Choice.of(0) : Choice.NONE;
          }
        };
    List<Device> devices = devices(2);
    try (DevicePool pool = DevicePool.of(devices, still(ticker).withPolicy(picky))) {
      Lease one = pool.lease(Demand.any(), LONG);
      assertThat(one.device()).isEqualTo(devices.get(1));
      var waiting = Eventually.start(() -> pool.lease(Demand.any(), LONG));
      waiting.isWaiting();
      Once job = new Once();
      pool.submit(Demand.any().onlyOn(devices.getFirst().id()), job);
      Eventually.open(job.ran);
      one.succeed();
      waiting.result().succeed();
    }
  }

  @Test
  void aRebuiltDeviceIsPolledThoughAnOldPollNeverCameBack() throws Exception {
    CountDownLatch in = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    backend
        .on(device)
        .samples(() -> {
          if (backend.on(device).sampled() == 1) {
            in.countDown();
            Eventually.open(go);
          }
          return Optional.empty();
        });
    try (DevicePool pool = open(still(ticker))) {
      Eventually.open(in);
      pool.lease(Demand.any(), LONG).fail(fault(Fault.CONTEXT));
      tick(pool, ticker, Duration.ofSeconds(2));
      awaitHealth(pool, device, Health.PROBING);
      tick(pool, ticker, Duration.ofHours(2));
      Eventually.until("sampled again", () -> backend.on(device).sampled() > 1);
    } finally {
      go.countDown();
    }
  }

  @Test
  void aLeaseThatEndsAsTheWatchdogComesKeepsItsThread() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    try (DevicePool pool = open(limited())) {
      pool.submit(
          Demand.any(),
          new Once() {
            @Override
            public void run(Lease lease) {
              Eventually.open(release);
              lease.succeed();
              ended.countDown();
            }

            @Override
            public String holder() {
              release.countDown();
              Eventually.open(ended);
              return "late";
            }
          });
      tick(pool, ticker, LIMIT.multipliedBy(2));
      assertThat(pool.health(device.id())).isEqualTo(Health.READY);
    }
    assertThat(backend.contexts(device).getFirst().closedOn()).hasSize(1);
  }

  /** The interrupt that work is given up with must not be what its caller hears of. */
  @Test
  void theCallerOfWorkThatHangsHearsThatItHungThoughTheWorkHeedsTheInterrupt() throws Exception {
    for (int round = 0; round < 200; round++) {
      CountDownLatch in = new CountDownLatch(1);
      try (DevicePool pool = open(limited());
          Lease lease = pool.lease(Demand.any(), LONG)) {
        var run =
            Eventually.start(() ->
                lease.run(slot -> {
                  in.countDown();
                  long end = System.nanoTime() + LONG.toNanos();
                  while (System.nanoTime() - end < 0) {
                    if (Thread.interrupted()) {
                      throw new InterruptedException("heeded");
                    }
                    Thread.onSpinWait();
                  }
                  throw new AssertionError("Nobody has interrupted it");
                }));
        Eventually.open(in);
        tick(pool, ticker, LIMIT.multipliedBy(2));
        assertThatThrownBy(run::result).isInstanceOf(PoolException.WorkHung.class);
      }
    }
  }

  @Test
  void theKeeperSurvivesAJobWhoseAbandonThrows() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    try (DevicePool pool = DevicePool.of(devices(2), watched(Duration.ofMillis(100)))) {
      for (int i = 0; i < 2; i++) {
        Once bad =
            new Once() {
              @Override
              public void run(Lease lease) {
                Eventually.open(go);
                lease.close();
              }

              @Override
              public void abandon(Throwable reason) {
                super.abandon(reason);
                throw new IllegalStateException("abandon");
              }
            };
        pool.submit(Demand.any(), bad);
        assertThat(bad.abandoned.get(5, TimeUnit.SECONDS))
            .isInstanceOf(PoolException.WorkHung.class);
      }
    } finally {
      go.countDown();
    }
  }

  @Test
  void anIdleHolderIsNotTakenForHungWork() throws Exception {
    try (DevicePool pool = open(limited())) {
      Lease lease = pool.lease(Demand.any(), LONG);
      lease.run(slot -> 1);
      tick(pool, ticker, LIMIT.multipliedBy(2));
      assertThat(pool.health(device.id())).isEqualTo(Health.READY);
      lease.succeed();
    }
  }

  @Test
  void callbacksOfRefusedJobsRunOutsideOfThePoolsLocks() throws Exception {
    DevicePool pool = DevicePool.of(List.of(device.withMemory(1)), still(ticker));
    Demand all = Demand.any().withMemory(1);
    Lease held = pool.lease(all, LONG);
    CompletableFuture<PoolSnapshot> seen = new CompletableFuture<>();
    pool.submit(
        all,
        new Once() {
          @Override
          public void abandon(Throwable reason) {
            try {
              seen.complete(Eventually.start(pool::snapshot).future().get(3, TimeUnit.SECONDS));
            } catch (Exception locked) {
              seen.completeExceptionally(locked);
            }
          }
        });
    var closing = Eventually.close(pool);
    try {
      assertThat(seen.get(20, TimeUnit.SECONDS).waiting()).isZero();
    } finally {
      held.succeed();
      closing.result();
    }
  }

  @Test
  void closingFromAListenerDoesNotHang() throws Exception {
    AtomicReference<DevicePool> pool = new AtomicReference<>();
    CountDownLatch closed = new CountDownLatch(1);
    PoolOptions options =
        PoolOptions.usual()
            .withTiming(
                Timing.usual()
                    .withPoll(Duration.ofMillis(10))
                    .withOverdue(Duration.ofMillis(1))
                    .withGrace(Duration.ofMillis(100)))
            .withListener(event -> {
              DevicePool toClose = pool.get();
              if (event instanceof PoolListener.Event.Overdue && toClose != null) {
                toClose.close();
                closed.countDown();
              }
            });
    pool.set(DevicePool.of(devices(1), options));
    pool.get().lease(Demand.any(), LONG);
    Eventually.open(closed);
  }
}
