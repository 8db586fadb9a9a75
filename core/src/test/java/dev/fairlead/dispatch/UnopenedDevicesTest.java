package dev.fairlead.dispatch;

import static dev.fairlead.pool.TestingPools.fault;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.device.Fault;
import dev.fairlead.device.Slot;
import dev.fairlead.health.Health;
import dev.fairlead.outcome.Outcome;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.Eventually;
import dev.fairlead.pool.ManualTicker;
import dev.fairlead.pool.NoThreadLeft;
import dev.fairlead.pool.TestingBackend;
import dev.fairlead.pool.TestingContext;
import dev.fairlead.pool.TestingPools;
import dev.fairlead.units.Party;
import dev.fairlead.units.UnitQueue;
import dev.fairlead.units.UnitTask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Work that was left with a pool whose devices refuse their contexts when they are first used. */
@ExtendWith(NoThreadLeft.class)
@Timeout(60)
class UnopenedDevicesTest {
  private final TestingBackend backend = new TestingBackend();
  private final ManualTicker ticker = new ManualTicker();
  private final List<Device> devices = TestingBackend.devices(2);
  private final Device first = devices.getFirst();
  private final Device second = devices.getLast();
  private final AtomicInteger begun = new AtomicInteger();

  @BeforeEach
  void refuse() {
    backend
        .on(first)
        .opens(() -> {
          throw fault(Fault.DEVICE);
        });
  }

  private DevicePool open() {
    return DevicePool.open(backend.found(devices), TestingPools.still(ticker).withContextsOnUse());
  }

  /** A device is probed when the last lease there has ended, which may be after the first tick. */
  private void awaitProbed(DevicePool pool, BooleanSupplier probed) {
    Eventually.until(
        "a probe has opened it",
        () -> {
          TestingPools.tick(pool, ticker, Duration.ofSeconds(2));
          return probed.getAsBoolean();
        });
  }

  private Device where(Slot slot) {
    begun.incrementAndGet();
    return slot.context(TestingContext.class).device();
  }

  private static <R> Outcome<R> await(UnitTask<R> unit) throws InterruptedException {
    return unit.await(TestingPools.LONG).orElseThrow(() -> new AssertionError(unit + " hangs"));
  }

  @Test
  void workThatMayBeTriedOnceIsBegunOnceAndElsewhere() throws Exception {
    try (DevicePool pool = open();
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      List<Task<Device>> tasks = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        tasks.add(dispatcher.submit(Demand.any(), this::where));
      }
      for (Task<Device> task : tasks) {
        Outcome<Device> outcome = task.await();
        assertThat(outcome.orThrow()).isEqualTo(second);
        assertThat(((Outcome.Succeeded<Device>) outcome).failures()).isEmpty();
      }
      assertThat(begun).hasValue(10);
      assertThat(pool.health(first.id())).isEqualTo(Health.QUARANTINED);
      assertThat(backend.on(first).opened()).isEqualTo(1);
    }
  }

  @Test
  void workThatOnlyThatDeviceMayDoWaitsUntilAProbeHasOpenedIt() throws Exception {
    try (DevicePool pool = open();
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      Task<Device> waiting = dispatcher.submit(Demand.any().onlyOn(first.id()), this::where);
      TestingPools.awaitHealth(pool, first, Health.QUARANTINED);
      assertThat(waiting.isEnded()).isFalse();

      backend.on(first).opens(() -> {});
      awaitProbed(pool, waiting::isEnded);
      assertThat(waiting.await().orThrow()).isEqualTo(first);
      assertThat(begun).hasValue(1);
    }
  }

  @Test
  void taskThatIsCancelledWhileItsDeviceOpensIsNotBegun() throws Exception {
    try (DevicePool pool = open();
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      Task<Device> waiting = dispatcher.submit(Demand.any().onlyOn(first.id()), this::where);
      TestingPools.awaitHealth(pool, first, Health.QUARANTINED);
      assertThat(waiting.cancel()).isTrue();
      backend.on(first).opens(() -> {});
      awaitProbed(pool, () -> pool.health(first.id()) == Health.PROBING);
      TestingPools.requireAtRest(pool);
      assertThat(begun).hasValue(0);
    }
  }

  @Test
  void unitsGoToDevicesThatOpen() throws Exception {
    try (DevicePool pool = open();
        Party service = UnitQueue.single(pool, ServicePolicies.anyRung(), 1)) {
      List<UnitTask<Device>> units = new ArrayList<>();
      for (int chunk = 0; chunk < 6; chunk++) {
        units.add(service.offer(0, chunk, Demand.any(), (slot, stopped) -> where(slot)));
      }
      for (UnitTask<Device> unit : units) {
        assertThat(await(unit).orThrow()).isEqualTo(second);
      }
      assertThat(begun).hasValue(6);
      assertThat(pool.health(first.id())).isEqualTo(Health.QUARANTINED);
    }
  }

  @Test
  void rangesAreDoneByDevicesThatOpen() throws Exception {
    try (DevicePool pool = open();
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      AtomicInteger indices = new AtomicInteger();
      Eventually.Started<RangeReport> running =
          Eventually.start(() ->
              dispatcher.overRange(
                  1000,
                  10,
                  Demand.any(),
                  (part, slot) -> {
                    assertThat(where(slot)).isEqualTo(second);
                    indices.addAndGet((int) part.length());
                  }));
      assertThat(running.result()).isNotNull();
      assertThat(indices).hasValue(1000);
    }
  }
}
