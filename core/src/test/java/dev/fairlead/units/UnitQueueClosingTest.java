package dev.fairlead.units;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceException;
import dev.fairlead.device.Fault;
import dev.fairlead.lease.PoolException;
import dev.fairlead.outcome.Outcome;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.Eventually;
import dev.fairlead.pool.NoThreadLeft;
import dev.fairlead.pool.TestingBackend;
import dev.fairlead.pool.TestingPools;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** How a unit queue ends, and what its listeners may do. */
@ExtendWith(NoThreadLeft.class)
@Timeout(60)
class UnitQueueClosingTest {
  private final CountDownLatch barrier = new CountDownLatch(1);
  private final List<Device> ran = Collections.synchronizedList(new ArrayList<>());

  private static DevicePool pool(int devices) {
    return DevicePool.of(TestingBackend.devices(devices), TestingPools.options());
  }

  private static Party anyRung(DevicePool pool) {
    return UnitQueue.single(pool, ServicePolicies.anyRung(), 1);
  }

  private static <R> Outcome<R> await(UnitTask<R> unit) throws InterruptedException {
    return unit.await(TestingPools.LONG).orElseThrow(() -> new AssertionError(unit + " hangs"));
  }

  private UnitWork<Device> held() {
    return (slot, cancelled) -> {
      ran.add(slot.device());
      Eventually.open(barrier);
      return slot.device();
    };
  }

  @Test
  void cancelAndCloseInterruptsWhatRunsAndLeavesNothing() throws Exception {
    try (DevicePool pool = pool(1)) {
      Party service = anyRung(pool);
      CountDownLatch running = new CountDownLatch(1);
      AtomicBoolean told = new AtomicBoolean();
      UnitTask<Integer> first =
          service.offer(
              0,
              0,
              Demand.any(),
              (slot, cancelled) -> {
                running.countDown();
                try {
                  boolean _ = barrier.await(60, TimeUnit.SECONDS);
                } finally {
                  told.set(cancelled.getAsBoolean());
                }
                return 1;
              });
      UnitTask<Integer> second = service.offer(0, 1, Demand.any(), (slot, cancelled) -> 2);
      Eventually.open(running);
      service.cancelAndClose();
      assertThat(first.isEnded() && second.isEnded()).isTrue();
      assertThat(await(first)).isInstanceOf(Outcome.Cancelled.class);
      assertThat(await(second)).isInstanceOf(Outcome.Cancelled.class);
      assertThat(told).isTrue();
      assertThat(pool.snapshot().totals().outstanding()).isZero();
      assertThat(pool.snapshot().totals().failed()).isZero();
      assertThat(service.report().groups().getFirst())
          .isEqualTo(new ServiceReport.GroupShare(0, 0, 0, 0, 2));
    }
  }

  @Test
  void aDeviceThatFailsAfterItsUnitIsOverHasFailed() throws Exception {
    try (DevicePool pool = pool(2)) {
      Party service = anyRung(pool);
      CountDownLatch running = new CountDownLatch(2);
      AtomicReference<Device> lost = new AtomicReference<>();
      for (int chunk = 0; chunk < 2; chunk++) {
        boolean loses = chunk == 0;
        UnitTask<Device> _ =
            service.offer(
                0,
                chunk,
                Demand.any(),
                (slot, cancelled) -> {
                  running.countDown();
                  try {
                    boolean _ = barrier.await(60, TimeUnit.SECONDS);
                    return slot.device();
                  } catch (InterruptedException cancel) {
                    if (loses) {
                      lost.set(slot.device());
                      throw new DeviceException(Fault.LOST, "Gone, on purpose");
                    }
                    throw cancel;
                  }
                });
      }
      Eventually.open(running);
      service.cancelAndClose();
      assertThat(service.report().devices())
          .hasSize(2)
          .allSatisfy(share ->
              assertThat(share.failures())
                  .as("a device that was merely told to stop has not failed")
                  .isEqualTo(share.device().equals(lost.get()) ? 1 : 0));
    }
  }

  @Test
  void closeWaitsForEveryUnitAndKeepsTheCallersInterrupt() throws Exception {
    try (DevicePool pool = pool(2)) {
      Party service = anyRung(pool);
      List<UnitTask<Device>> units =
          IntStream.range(0, 6)
              .mapToObj(chunk -> service.offer(0, chunk, Demand.any(), held()))
              .toList();
      Eventually.Started<Boolean> closing =
          Eventually.start(() -> {
            service.close();
            return Thread.interrupted();
          });
      closing.isWaiting();
      closing.thread().interrupt();
      assertThat(closing.future()).isNotDone();
      barrier.countDown();
      assertThat(closing.result()).isTrue();
      assertThat(units).allMatch(UnitTask::isEnded);
      assertThat(pool.snapshot().totals().completed()).isEqualTo(6);
    }
  }

  @Test
  void aListenerAndACallbackThatThrowHarmNothing() throws Exception {
    AtomicInteger heard = new AtomicInteger();
    ServiceOptions options =
        ServiceOptions.usual()
            .withListener(event -> {
              heard.incrementAndGet();
              throw new IllegalStateException("a bad listener, on purpose");
            });
    AtomicInteger uncaught = new AtomicInteger();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> uncaught.incrementAndGet());
    try (DevicePool pool = pool(1);
        Party service = UnitQueue.single(pool, ServicePolicies.anyRung(), 1, options)) {
      UnitTask<Device> first = service.offer(0, 0, Demand.any(), held());
      first.onEnd(outcome -> {
        throw new IllegalStateException("a bad callback, on purpose");
      });
      barrier.countDown();
      UnitTask<Integer> second = service.offer(0, 1, Demand.any(), (slot, cancelled) -> 2);
      assertThat(await(second).orThrow()).isEqualTo(2);
      Eventually.until("all was told", () -> heard.get() == 4 && uncaught.get() >= 4);
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  @Test
  void aListenerMayCloseTheService() throws Exception {
    AtomicReference<Party> service = new AtomicReference<>();
    try (DevicePool pool = pool(1)) {
      service.set(
          UnitQueue.single(
              pool,
              ServicePolicies.anyRung(),
              1,
              ServiceOptions.usual()
                  .withTries(1)
                  .withListener(event -> {
                    if (event instanceof UnitListener.Event.Ended(var unit, Outcome.Failed<?> _)) {
                      service.get().cancelAndClose();
                    }
                  })));
      service
          .get()
          .offer(
              0,
              0,
              Demand.any(),
              (slot, cancelled) -> {
                Eventually.open(barrier);
                throw new IllegalStateException("the first one fails");
              });
      UnitTask<Device> second =
          service
              .get()
              .offer(
                  0,
                  1,
                  Demand.any(),
                  (slot, cancelled) -> {
                    Eventually.until("the service is closed", cancelled);
                    return slot.device();
                  });
      barrier.countDown();
      assertThat(await(second)).isInstanceOf(Outcome.Cancelled.class);
      service.get().close();
    }
  }

  @Test
  void aPoolThatClosesUnderneathEndsEveryUnit() throws Exception {
    DevicePool pool = pool(1);
    Party service = anyRung(pool);
    List<UnitTask<Device>> units =
        IntStream.range(0, 3).mapToObj(i -> service.offer(0, i, Demand.any(), held())).toList();
    Eventually.until("one runs", () -> ran.size() == 1);
    Eventually.Started<Boolean> closing =
        Eventually.start(() -> {
          pool.close();
          return true;
        });
    closing.isWaiting();
    barrier.countDown();
    closing.result();
    for (UnitTask<Device> unit : units.subList(1, 3)) {
      assertThat(((Outcome.Failed<Device>) await(unit)).cause()).isInstanceOf(PoolException.class);
    }
    service.close();
  }
}
