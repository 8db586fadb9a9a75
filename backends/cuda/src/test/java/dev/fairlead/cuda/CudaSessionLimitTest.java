package dev.fairlead.cuda;

import static dev.fairlead.cuda.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.compute.ComputeContext;
import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.device.Device;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Fault;
import dev.fairlead.device.Slot;
import dev.fairlead.dispatch.Dispatcher;
import dev.fairlead.dispatch.Task;
import dev.fairlead.health.Health;
import dev.fairlead.lease.PoolException;
import dev.fairlead.outcome.Outcome;
import dev.fairlead.outcome.RetryOptions;
import dev.fairlead.policy.Demand;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.PoolOptions;
import dev.fairlead.pool.Timing;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Devices whose users are as many as they serve already, end to end against the driver double. */
class CudaSessionLimitTest {
  /** However far a test moves the clock, no probe seems to hang. */
  private static final Duration EVER = ChronoUnit.FOREVER.getDuration();

  private static final RetryOptions TRIES = RetryOptions.once().withTries(3);

  private final TestingCuda cuda = TestingCuda.with(2);
  private final CudaProvider provider = cuda.provider();
  private final Discovery found = provider.discover(List.of());
  private final Device first = found.devices().getFirst();
  private final Device second = found.devices().getLast();
  private final AtomicLong nanos = new AtomicLong();

  @AfterEach
  void allWasGivenBack() {
    cuda.requireCleanBooks();
  }

  private DevicePool open() {
    return DevicePool.open(
        found,
        PoolOptions.usual()
            .withTiming(Timing.usual().withPoll(Duration.ofMillis(20)).withOpening(EVER))
            .withTicker(nanos::get));
  }

  private static Device where(Slot slot) {
    slot.context(ComputeContext.class).probe();
    return slot.device();
  }

  private static Task<Device> submit(Dispatcher dispatcher, Device only)
      throws InterruptedException {
    return dispatcher.submit(
        Demand.any().onlyOn(only.id()), CudaSessionLimitTest::where, RetryOptions.once());
  }

  /** Time passes for a device in quarantine alone, so that no answer of another seems late. */
  private boolean servesAfterAWhile(DevicePool pool) {
    if (pool.health(first.id()) == Health.QUARANTINED) {
      nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    }
    return pool.health(first.id()) == Health.READY;
  }

  @Test
  void aDeviceThatTakesNoMoreUsersRefusesWithAnErrorOfItsOwn() {
    cuda.mostUsers(0, 2);
    cuda.others(0, 2, 0, 0);

    assertThatThrownBy(() -> provider.open(first))
        .isInstanceOfSatisfying(
            ComputeException.OverSessionLimit.class,
            failure -> {
              assertThat(failure.fault()).isEqualTo(Fault.BUSY);
              assertThat(failure.driverError().orElseThrow().code()).isEqualTo(808);
              assertThat(failure).hasMessageContaining("CUDA_ERROR_MPS_MAX_CLIENTS_REACHED (808)");
            });
  }

  @Test
  void workGoesElsewhereOrWaitsUntilOthersHaveLeft() throws Exception {
    cuda.mostUsers(0, 2);
    cuda.others(0, 2, 0, 0);
    try (DevicePool pool = open();
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      assertThat(pool.devices()).containsExactly(first, second);
      assertThat(pool.health(first.id())).isEqualTo(Health.QUARANTINED);
      assertThat(pool.problems())
          .singleElement()
          .satisfies(problem -> {
            assertThat(problem.what()).isEqualTo("cuda:0");
            assertThat(problem.reason()).startsWith("CUDA: ").contains("(808)");
          });
      for (int i = 0; i < 4; i++) {
        assertThat(dispatcher.dispatch(Demand.any(), CudaSessionLimitTest::where).value())
            .isEqualTo(second);
      }
      Task<Device> waiting = submit(dispatcher, first);
      nanos.addAndGet(Duration.ofSeconds(1).toNanos());
      until("it was tried again", () -> cuda.calls("cuDevicePrimaryCtxRetain") == 3);
      assertThat(pool.health(first.id())).isEqualTo(Health.QUARANTINED);

      cuda.others(0, 1, 0, 0);
      until("it serves", () -> servesAfterAWhile(pool));
      assertThat(waiting.await().orThrow()).isEqualTo(first);
    }
  }

  @Test
  void aRebuiltContextThatFindsNoRoomWaitsForIt() throws Exception {
    try (DevicePool pool = open();
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      cuda.fail("cuStreamSynchronize:1:700:0");
      assertThatThrownBy(() ->
              dispatcher.dispatch(Demand.any().onlyOn(first.id()), CudaSessionLimitTest::where))
          .hasMessageContaining("CUDA_ERROR_ILLEGAL_ADDRESS (700)");
      cuda.mostUsers(0, 2);
      cuda.others(0, 2, 0, 0);
      nanos.addAndGet(Duration.ofSeconds(1).toNanos());
      until(
          "another process has taken its place", () -> cuda.calls("cuDevicePrimaryCtxRetain") == 3);
      assertThat(pool.devices()).containsExactly(first, second);
      assertThat(pool.health(first.id())).isEqualTo(Health.QUARANTINED);

      cuda.others(0, 0, 0, 0);
      Task<Device> waiting = submit(dispatcher, first);
      until("it serves", () -> servesAfterAWhile(pool));
      assertThat(waiting.await().orThrow()).isEqualTo(first);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {46, 808, 809})
  void workThatMeetsTheLimitIsDoneElsewhereAndCostsTheDeviceNothing(int code) throws Exception {
    try (DevicePool pool = open();
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      cuda.fail("cuStreamCreateWithPriority:1:" + code);
      Outcome<Device> outcome =
          dispatcher.submit(Demand.any(), CudaSessionLimitTest::where, TRIES).await();

      assertThat(((Outcome.Succeeded<Device>) outcome).failures())
          .singleElement()
          .satisfies(each -> {
            assertThat(each.cause()).isInstanceOf(ComputeException.OverSessionLimit.class);
            assertThat(each.device()).isNotEqualTo(outcome.orThrow());
          });
      assertThat(List.of(pool.health(first.id()), pool.health(second.id())))
          .containsOnly(Health.READY);
    }
  }

  @Test
  void machinesWhoseDevicesAllTakeNoMoreSayWhyAtOnce() {
    for (int device = 0; device < 2; device++) {
      cuda.mostUsers(device, 1);
      cuda.others(device, 1, 0, 0);
    }
    assertThatThrownBy(this::open)
        .isInstanceOf(PoolException.NoDevices.class)
        .hasMessageContaining("CUDA_ERROR_MPS_MAX_CLIENTS_REACHED");
  }
}
