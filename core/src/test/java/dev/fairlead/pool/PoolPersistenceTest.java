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

/** What a pool withstands: rebuilt devices, watchdogs, callbacks. */
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
class PoolPersistenceTest {
  static final Duration LONG = Duration.ofSeconds(30);
  final ManualTicker ticker = new ManualTicker();
  final TestingBackend backend = new TestingBackend();

  PoolOptions manual() {
    return PoolOptions.usual()
        .withTicker(ticker)
        .withTiming(Timing.usual().withPoll(Duration.ofHours(1)).withGrace(Duration.ofSeconds(2)));
  }

  @Test
  void anOldLeaseDoesNotKeepADeviceFromBeingRebuiltAndIsRefused() throws Exception {
    Device device = TestingBackend.device(0).withSlots(2);
    try (DevicePool pool = DevicePool.open(backend.found(List.of(device)), manual())) {
      Lease old = pool.lease(Demand.any(), LONG);
      pool.lease(Demand.any(), LONG).fail(new DeviceException(Fault.CONTEXT, "poisoned"));
      ticker.advance(Duration.ofSeconds(2));
      pool.keeper().tick(ticker.nanos());
      Eventually.until("rebuilt", () -> backend.contexts(device).size() == 2);
      assertThatThrownBy(() -> old.run(slot -> 1))
          .isInstanceOf(PoolException.StaleGeneration.class);
      old.close();
    }
  }

  @Test
  void aThreadThatHoldsADevicesBooksDoesNotStopOthersFromTakingAnIdleDevice() throws Exception {
    List<Device> devices = TestingBackend.devices(4).stream().map(d -> d.withSlots(4)).toList();
    try (DevicePool pool = DevicePool.of(devices, manual())) {
      pool.fleet().ledger(0).lock(); // its holder is descheduled
      Eventually.Started<Lease> other;
      try {
        other = Eventually.start(() -> pool.lease(Demand.any(), LONG));
        assertThat(other.result().device()).isNotEqualTo(devices.get(0));
      } finally {
        pool.fleet().ledger(0).unlockUnchanged();
      }
      other.result().succeed();
    }
  }

  @Test
  void threadsThatComeAtOnceSpreadOverIdleDevices() throws Exception {
    int n = 32;
    List<Device> devices = TestingBackend.devices(n).stream().map(d -> d.withSlots(8)).toList();
    int piles = 0;
    for (int round = 0; round < 200; round++) {
      try (DevicePool pool = DevicePool.of(devices, manual())) {
        CountDownLatch go = new CountDownLatch(1);
        List<Eventually.Started<Lease>> all = new ArrayList<>();
        for (int i = 0; i < n; i++)
          all.add(
              Eventually.start(() -> {
                go.await();
                return pool.lease(Demand.any(), LONG);
              }));
        go.countDown();
        Set<DeviceId> ids = new HashSet<>();
        for (var each : all) ids.add(each.result().device().id());
        if (ids.size() < n) piles++;
        for (var each : all) each.result().succeed();
      }
    }
    assertThat(piles).isZero();
  }

  @Test
  void aJobDoesNotStayInTheLineOfAnIdleDevice() throws Exception {
    PlacementPolicy picky =
        new PlacementPolicy() {
          public String name() {
            return "picky";
          }

          public long place(Candidates c) {
            boolean wide = c.eligible(1);
            if (wide) return c.available(1) ? Choice.of(1) : Choice.waitFor(1);
            return c.available(0) ? Choice.of(0) : Choice.NONE;
          }
        };
    List<Device> devices = TestingBackend.devices(2);
    try (DevicePool pool = DevicePool.of(devices, manual().withPolicy(picky))) {
      Lease one = pool.lease(Demand.any(), LONG);
      assertThat(one.device()).isEqualTo(devices.get(1));
      var waiting = Eventually.start(() -> pool.lease(Demand.any(), LONG));
      waiting.isWaiting();
      Once job = new Once();
      pool.submit(Demand.any().onlyOn(devices.get(0).id()), job);
      Eventually.open(job.ran);
      one.succeed();
      waiting.result().succeed();
    }
  }

  @Test
  void aRebuiltDeviceIsPolledThoughAnOldPollNeverCameBack() throws Exception {
    Device device = TestingBackend.device(0);
    CountDownLatch in = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger samples = new AtomicInteger();
    backend
        .on(device)
        .samples(() -> {
          if (samples.incrementAndGet() == 1) {
            in.countDown();
            Eventually.open(go);
          }
          return Optional.empty();
        });
    try (DevicePool pool = DevicePool.open(backend.found(List.of(device)), manual())) {
      Eventually.open(in);
      pool.lease(Demand.any(), LONG).fail(new DeviceException(Fault.CONTEXT, "poisoned"));
      ticker.advance(Duration.ofSeconds(2));
      pool.keeper().tick(ticker.nanos());
      Eventually.until("rebuilt", () -> pool.health(device.id()) == Health.PROBING);
      ticker.advance(Duration.ofHours(2));
      pool.keeper().tick(ticker.nanos());
      Eventually.until("sampled again", () -> samples.get() > 1);
    } finally {
      go.countDown();
    }
  }

  @Test
  void aLeaseThatEndsAsTheWatchdogComesKeepsItsThread() throws Exception {
    Device device = TestingBackend.device(0);
    DevicePool[] box = new DevicePool[1];
    CountDownLatch release = new CountDownLatch(1);
    AtomicBoolean armed = new AtomicBoolean();
    DevicePool pool =
        DevicePool.open(
            backend.found(List.of(device)),
            manual()
                .withTiming(
                    Timing.usual()
                        .withPoll(Duration.ofHours(1))
                        .withOverdue(Duration.ZERO)
                        .withWatchdog(Duration.ofHours(1))));
    box[0] = pool;
    try (pool) {
      pool.submit(
          Demand.any(),
          new Once() {
            @Override
            public void run(Lease lease) {
              Eventually.open(release);
              lease.succeed();
            }

            @Override
            public String holder() {
              release.countDown();
              Eventually.until("ended", () -> box[0].snapshot().totals().completed() == 1);
              return "late";
            }
          });
      ticker.advance(Duration.ofHours(2));
      pool.keeper().tick(ticker.nanos());
      assertThat(pool.health(device.id())).isEqualTo(Health.READY);
    }
    assertThat(backend.contexts(device).get(0).closedOn()).hasSize(1);
  }

  @Test
  void theKeeperSurvivesAJobWhoseAbandonThrows() throws Exception {
    Device device = TestingBackend.device(0);
    CountDownLatch go = new CountDownLatch(1);
    DevicePool pool =
        DevicePool.of(
            TestingBackend.devices(2),
            PoolOptions.usual()
                .withTiming(
                    Timing.usual()
                        .withPoll(Duration.ofMillis(20))
                        .withWatchdog(Duration.ofMillis(100))));
    try (pool) {
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
    Device device = TestingBackend.device(0);
    DevicePool pool =
        DevicePool.open(
            backend.found(List.of(device)),
            manual()
                .withTiming(
                    Timing.usual()
                        .withPoll(Duration.ofHours(1))
                        .withWatchdog(Duration.ofHours(1))));
    try (pool) {
      Lease lease = pool.lease(Demand.any(), LONG);
      lease.run(slot -> 1);
      ticker.advance(Duration.ofHours(2));
      pool.keeper().tick(ticker.nanos());
      assertThat(pool.health(device.id())).isEqualTo(Health.READY);
      lease.succeed();
    }
  }

  @Test
  void callbacksOfRefusedJobsRunOutsideOfThePoolsLocks() throws Exception {
    DevicePool pool = DevicePool.of(List.of(TestingBackend.device(0).withMemory(1)), manual());
    Lease held = pool.lease(Demand.any().withMemory(1), LONG);
    CompletableFuture<Boolean> free = new CompletableFuture<>();
    pool.submit(
        Demand.any().withMemory(1),
        new Once() {
          @Override
          public void abandon(Throwable reason) {
            var other = Eventually.start(pool::snapshot);
            try {
              other.future().get(3, TimeUnit.SECONDS);
              free.complete(true);
            } catch (Exception e) {
              free.complete(false);
            }
          }
        });
    var closing =
        Eventually.start(() -> {
          pool.close();
          return 0;
        });
    boolean was = free.get(20, TimeUnit.SECONDS);
    held.succeed();
    closing.result();
    assertThat(was).isTrue();
  }

  @Test
  void closingFromAListenerDoesNotHang() throws Exception {
    DevicePool[] box = new DevicePool[1];
    CountDownLatch closed = new CountDownLatch(1);
    Device device = TestingBackend.device(0);
    AtomicInteger n = new AtomicInteger();
    DevicePool pool =
        DevicePool.of(
            TestingBackend.devices(1),
            PoolOptions.usual()
                .withTiming(
                    Timing.usual()
                        .withPoll(Duration.ofMillis(10))
                        .withOverdue(Duration.ofMillis(1))
                        .withGrace(Duration.ofMillis(100)))
                .withListener(event -> {
                  if (event instanceof PoolListener.Event.Overdue && box[0] != null) {
                    box[0].close();
                    closed.countDown();
                  }
                }));
    box[0] = pool;
    Lease lease = pool.lease(Demand.any(), LONG);
    Eventually.open(closed);
  }
}
