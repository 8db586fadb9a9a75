package dev.fairlead.pool;

import static dev.fairlead.pool.TestingBackend.devices;
import static dev.fairlead.pool.TestingPools.LONG;
import static dev.fairlead.pool.TestingPools.entry;
import static dev.fairlead.pool.TestingPools.lease;
import static dev.fairlead.pool.TestingPools.options;
import static dev.fairlead.pool.TestingPools.requireAtRest;
import static dev.fairlead.pool.TestingPools.withSlots;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.DeviceId;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.policy.Candidates;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Load;
import dev.fairlead.policy.Policies;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The mistakes seen in the wild, at the level of the pool; those of distribution are in {@code
 * dev.fairlead.dispatch}. Each test fails when its mistake is put back.
 */
@ExtendWith(NoThreadLeft.class)
class MistakesTest {
  private final ManualTicker ticker = new ManualTicker();
  private final TestingBackend backend = new TestingBackend();

  @Nested
  class One_choosingAndReservingInTwoSteps {
    private static final int ROUNDS = 30;

    @ParameterizedTest
    @ValueSource(strings = {"least-loaded", "round-robin", "weighted", "adaptive", "power-of-two"})
    void threadsThatComeAtOnceGetDevicesOfTheirOwn(String policy) throws Exception {
      int count = 16;
      for (int round = 0; round < ROUNDS; round++) {
        try (DevicePool pool =
            DevicePool.of(devices(count), options().withPolicy(Policies.named(policy)))) {
          assertThat(devicesTakenAtOnce(pool, count)).hasSize(count);
        }
      }
    }

    /** Devices with room for all: only the burden that was chosen on keeps threads apart. */
    @ParameterizedTest
    @ValueSource(strings = {"least-loaded", "round-robin", "weighted", "adaptive"})
    void threadsThatComeAtOnceDoNotPileUpWhereThereIsRoomForAll(String policy) throws Exception {
      int count = 16;
      for (int round = 0; round < ROUNDS; round++) {
        try (DevicePool pool =
            DevicePool.of(
                withSlots(devices(count), count), options().withPolicy(Policies.named(policy)))) {
          assertThat(devicesTakenAtOnce(pool, count)).hasSize(count);
        }
      }
    }

    private Set<DeviceId> devicesTakenAtOnce(DevicePool pool, int threads) throws Exception {
      CountDownLatch start = new CountDownLatch(1);
      List<Eventually.Started<Lease>> started = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        started.add(
            Eventually.start(() -> {
              Eventually.open(start);
              return pool.lease(Demand.any(), LONG);
            }));
      }
      start.countDown();
      Set<DeviceId> taken = new HashSet<>();
      for (var each : started) {
        taken.add(each.result().device().id());
      }
      for (var each : started) {
        each.result().succeed();
      }
      requireAtRest(pool);
      return taken;
    }
  }

  @Nested
  class Three_coldDevicesAndDevicesThatFailFast {
    @ParameterizedTest
    @ValueSource(strings = {"least-loaded", "adaptive"})
    void aDeviceThatFailsFastDoesNotSwallowEverything(String policy) throws Exception {
      List<Device> devices = withSlots(devices(2), 8);
      Device bad = devices.get(0);
      try (DevicePool pool =
          DevicePool.of(devices, options(ticker).withPolicy(Policies.named(policy)))) {
        Lease busy = lease(pool, devices.get(1));
        int onBad = 0;
        for (int i = 0; i < 200; i++) {
          Lease lease = pool.lease(Demand.any(), LONG);
          if (lease.device().equals(bad)) {
            onBad++;
            lease.fail(new IllegalStateException("fails fast"));
          } else {
            ticker.advance(Duration.ofNanos(1000));
            lease.succeed();
          }
        }
        busy.succeed();
        assertThat(onBad).isLessThan(20);
      }
    }

    @Test
    void aDeviceThatFailedIsTriedAgainOnceTimeHasPassed() throws Exception {
      List<Device> devices = devices(2);
      try (DevicePool pool = DevicePool.of(devices, options(ticker))) {
        for (int i = 0; i < 5; i++) {
          lease(pool, devices.get(0)).fail(new IllegalStateException("fails fast"));
        }
        for (int i = 0; i < 10; i++) {
          Lease lease = lease(pool);
          assertThat(lease.device()).isEqualTo(devices.get(1));
          lease.succeed();
        }
        Lease other = lease(pool, devices.get(1));
        Eventually.until(
            "the failed device is tried again",
            () -> {
              ticker.advance(Duration.ofSeconds(1));
              return pool.explain(Demand.any()).toString().contains("nothing to do");
            });
        Lease again = lease(pool);
        assertThat(again.device()).isEqualTo(devices.get(0));
        again.succeed();
        other.succeed();
      }
    }

    @Test
    void aDeviceThatWasNeverMeasuredIsTried() throws Exception {
      List<Device> devices = devices(2);
      try (DevicePool pool =
          DevicePool.of(devices, options(ticker).withPolicy(Policies.adaptive()))) {
        for (int i = 0; i < 20; i++) {
          Lease lease = lease(pool, devices.get(0));
          ticker.advance(Duration.ofMillis(1));
          lease.succeed();
        }
        Lease lease = lease(pool);
        assertThat(lease.device()).isEqualTo(devices.get(1));
        lease.succeed();
      }
    }
  }

  @Nested
  class Four_theMeanOfRates {
    @Test
    void aDeviceThatIsFastEverySecondTimeIsNotTakenForAFastOne() throws Exception {
      List<Device> devices = devices(2);
      Device uneven = devices.getFirst();
      Device steady = devices.getLast();
      try (DevicePool pool =
          DevicePool.of(devices, options(ticker).withPolicy(Policies.adaptive()))) {
        for (int i = 0; i < 50; i++) {
          spend(pool, uneven, 1);
          spend(pool, uneven, 99);
          spend(pool, steady, 30);
        }
        assertThat(entry(pool, uneven).stats().rate()).isEqualTo(20, within(0.01));
        assertThat(pool.explain(Demand.any()).toString())
            .contains("does 20 a second", "does 33.3 a second");
        Lease lease = lease(pool);
        assertThat(lease.device()).isEqualTo(steady);
        lease.succeed();
      }
    }

    private void spend(DevicePool pool, Device device, int millis) throws InterruptedException {
      Lease lease = lease(pool, device);
      ticker.advance(Duration.ofMillis(millis));
      lease.succeed();
    }
  }

  @Nested
  class Five_depthThatIsNotTheTruth {
    @Test
    void outstandingFallsAtTheEventNotWhenTheCallReturns() throws Exception {
      Device device = TestingBackend.device(0);
      try (DevicePool pool = DevicePool.of(List.of(device), options())) {
        CompletableFuture<String> event = new CompletableFuture<>();
        try (Lease lease = lease(pool)) {
          lease.run(slot -> "enqueued");
          lease.endWith(event);
        }
        assertThat(entry(pool, device).stats().outstanding()).isEqualTo(1);
        assertThat(pool.tryLease(Demand.any())).isEmpty();
        event.complete("done");
        assertThat(entry(pool, device).stats().outstanding()).isZero();
        assertThat(entry(pool, device).stats().completed()).isEqualTo(1);
      }
    }

    @Test
    void anEventThatFailsIsAFailure() throws Exception {
      Device device = TestingBackend.device(0);
      try (DevicePool pool = DevicePool.of(List.of(device), options())) {
        CompletableFuture<String> event = new CompletableFuture<>();
        lease(pool).endWith(event);
        event.completeExceptionally(new IllegalStateException("no"));
        assertThat(entry(pool, device).stats().failed()).isEqualTo(1);
        requireAtRest(pool);
      }
    }

    @Test
    void anExceptionLeaksNothing() throws Exception {
      Device device = TestingBackend.device(0).withMemory(10);
      try (DevicePool pool = DevicePool.of(List.of(device), options())) {
        for (int i = 0; i < 10; i++) {
          assertThatThrownBy(
                  () -> {
                    try (Lease lease = pool.lease(Demand.any().withMemory(10), LONG)) {
                      lease.run(slot -> {
                        throw new IllegalStateException("work");
                      });
                    }
                  })
              .isInstanceOf(IllegalStateException.class);
        }
        assertThat(entry(pool, device).stats().failed()).isEqualTo(10);
        requireAtRest(pool);
      }
    }

    @Test
    void aLeaseEndsOnceHoweverOftenItIsEnded() throws Exception {
      Device device = TestingBackend.device(0).withSlots(2);
      try (DevicePool pool = DevicePool.of(List.of(device), options())) {
        Lease other = lease(pool);
        Lease lease = lease(pool);
        lease.succeed();
        lease.close();
        lease.close();
        lease.fail(new IllegalStateException("too late"));
        lease.giveBack();
        assertThatThrownBy(lease::succeed).isInstanceOf(PoolException.LeaseEnded.class);
        assertThat(entry(pool, device).stats().outstanding()).isEqualTo(1);
        assertThat(entry(pool, device).stats().completed()).isEqualTo(1);
        assertThat(entry(pool, device).stats().failed()).isZero();
        other.succeed();
      }
    }

    @Test
    void countsAddUpInEverySnapshotWhileThreadsLease() throws Exception {
      List<Device> devices = withSlots(devices(3), 2);
      int threads = 4;
      int each = 2_000;
      try (DevicePool pool = DevicePool.of(devices, options())) {
        List<Eventually.Started<Integer>> started = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
          started.add(
              Eventually.start(() -> {
                for (int i = 0; i < each; i++) {
                  try (Lease lease = pool.lease(Demand.any(), LONG)) {
                    if (i % 3 != 0) {
                      lease.succeed();
                    }
                  }
                }
                return each;
              }));
        }
        long dispatched = 0;
        while (started.stream().anyMatch(one -> !one.future().isDone())) {
          PoolSnapshot snapshot = pool.snapshot();
          PoolSnapshot.Totals totals = snapshot.totals();
          assertThat(totals.outstanding()).isBetween(0L, (long) threads);
          assertThat(totals.dispatched()).isGreaterThanOrEqualTo(dispatched);
          dispatched = totals.dispatched();
        }
        for (var one : started) {
          one.result();
        }
        PoolSnapshot.Totals totals = pool.snapshot().totals();
        assertThat(totals.completed() + totals.failed()).isEqualTo((long) threads * each);
        assertThat(totals.failed()).isEqualTo((long) threads * (each / 3 + 1));
        requireAtRest(pool);
      }
    }
  }

  @Nested
  class Eleven_utilisationAsLoad {
    @Test
    void streamsOfOthersCountAsItems() throws Exception {
      List<Device> devices = withSlots(devices(2), 8);
      backend.on(devices.get(0)).hasFree(0, 3);
      backend.on(devices.get(1)).hasFree(0, 0);
      try (DevicePool pool = DevicePool.open(backend.found(devices), options(ticker))) {
        devices.forEach(
            device -> Eventually.until("polled", () -> pool.load(device.id()).sequence() == 1));
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          leases.add(lease(pool));
          assertThat(leases.getLast().device()).isEqualTo(devices.get(1));
        }
        leases.add(lease(pool));
        leases.add(lease(pool));
        assertThat(leases.subList(3, 5).stream().map(Lease::device))
            .containsExactlyInAnyOrderElementsOf(devices);
        leases.forEach(Lease::succeed);
      }
    }

    @Test
    void nothingThatPlacementReadsIsAPercentage() {
      assertThat(
              Stream.of(Candidates.class, Load.class, DeviceContext.Sample.class)
                  .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                  .map(Method::getName)
                  .map(name -> name.toLowerCase(Locale.ROOT)))
          .noneMatch(name -> name.contains("percent") || name.contains("utili"));
    }
  }
}
