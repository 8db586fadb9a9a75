package dev.fairlead.dispatch;

import static dev.fairlead.pool.TestingBackend.devices;
import static dev.fairlead.pool.TestingPools.options;
import static dev.fairlead.pool.TestingPools.requireAtRest;
import static dev.fairlead.pool.TestingPools.withSlots;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Device;
import dev.fairlead.device.Fault;
import dev.fairlead.lease.Lease;
import dev.fairlead.outcome.FailedAttempt;
import dev.fairlead.outcome.Outcome;
import dev.fairlead.outcome.RetryOptions;
import dev.fairlead.outcome.TaskException;
import dev.fairlead.policy.Demand;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.Eventually;
import dev.fairlead.pool.NoThreadLeft;
import dev.fairlead.pool.TestingPools;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The mistakes seen in the wild that concern distribution; each test fails when one is put back.
 */
@ExtendWith(NoThreadLeft.class)
class MistakesTest {

  @Nested
  class Two_distributingOneAfterTheOther {
    @Test
    void aBatchRunsOnAllDevicesAtTheSameTime() throws Exception {
      try (DevicePool pool = DevicePool.of(devices(3), options());
          Dispatcher dispatcher = Dispatcher.on(pool)) {
        CyclicBarrier allThree = new CyclicBarrier(3);
        Map<Device, AtomicInteger> counts = new ConcurrentHashMap<>();
        List<Outcome<Integer>> outcomes =
            dispatcher.distribute(
                IntStream.range(0, 12).boxed().toList(),
                Demand.any(),
                (item, slot) -> {
                  counts
                      .computeIfAbsent(slot.device(), any -> new AtomicInteger())
                      .incrementAndGet();
                  allThree.await(30, TimeUnit.SECONDS);
                  return item;
                });
        assertThat(outcomes).allMatch(Outcome::isSuccess);
        assertThat(counts).hasSize(3);
        assertThat(counts.values()).allMatch(count -> count.get() == 4);
        requireAtRest(pool);
      }
    }
  }

  @Nested
  class Ten_unitsThatDieWithTheirDevice {
    @Test
    void whatADyingDeviceHeldIsDoneByTheOthers() throws Exception {
      List<Device> devices = devices(3);
      int total = 300;
      AtomicIntegerArray done = new AtomicIntegerArray(total);
      try (DevicePool pool = DevicePool.of(devices, options());
          Dispatcher dispatcher = Dispatcher.on(pool)) {
        CountDownLatch died = new CountDownLatch(1);
        RangeReport report =
            dispatcher.overRange(
                total,
                1,
                Demand.any(),
                (part, slot) -> {
                  if (slot.device().equals(devices.get(1))) {
                    died.countDown();
                    throw TestingPools.fault(Fault.LOST);
                  }
                  Eventually.open(died);
                  for (long index = part.start(); index < part.end(); index++) {
                    done.incrementAndGet((int) index);
                  }
                });
        assertThat(report.isComplete()).isTrue();
        for (int index = 0; index < total; index++) {
          assertThat(done.get(index)).as("index " + index).isEqualTo(1);
        }
        assertThat(pool.devices()).containsExactly(devices.get(0), devices.get(2));
        assertThat(report.shares().values().stream().mapToLong(RangeReport.Share::indices).sum())
            .isEqualTo(total);
      }
    }

    @Test
    void jobsAtTheSameTimeHaveCursorsOfTheirOwn() throws Exception {
      int total = 500;
      try (DevicePool pool = DevicePool.of(devices(2), options());
          Dispatcher dispatcher = Dispatcher.on(pool);
          // A job that never ends is to fail the test, not to keep it from ending.
          AutoCloseable _ = dispatcher::cancelAndClose) {
        CountDownLatch bothRun = new CountDownLatch(2);
        List<AtomicIntegerArray> done =
            List.of(new AtomicIntegerArray(total), new AtomicIntegerArray(total));
        List<Eventually.Started<RangeReport>> jobs =
            done.stream()
                .map(mine -> {
                  AtomicInteger parts = new AtomicInteger();
                  return Eventually.start(() ->
                      dispatcher.overRange(
                          total,
                          1,
                          Demand.any(),
                          (part, slot) -> {
                            if (parts.incrementAndGet() == 1) {
                              bothRun.countDown();
                              Eventually.open(bothRun);
                            }
                            for (long index = part.start(); index < part.end(); index++) {
                              mine.incrementAndGet((int) index);
                            }
                          }));
                })
                .toList();
        for (var job : jobs) {
          assertThat(job.result().isComplete()).isTrue();
        }
        for (AtomicIntegerArray mine : done) {
          for (int index = 0; index < total; index++) {
            assertThat(mine.get(index)).isEqualTo(1);
          }
        }
      }
    }
  }

  @Nested
  class Twelve_errorsSwallowedAndRetriesWithoutEnd {
    @Test
    void whatTheWorkThrewComesOutAsItWas() throws Exception {
      try (DevicePool pool = DevicePool.of(devices(1), options());
          Dispatcher dispatcher = Dispatcher.on(pool)) {
        IOException checked = new IOException("work");
        assertThatThrownBy(() ->
                dispatcher.dispatch(
                    Demand.any(),
                    slot -> {
                      throw checked;
                    }))
            .isSameAs(checked);
        Outcome<Object> outcome =
            dispatcher
                .submit(
                    Demand.any(),
                    slot -> {
                      throw checked;
                    })
                .await();
        assertThat(outcome)
            .isInstanceOfSatisfying(
                Outcome.Failed.class, failed -> assertThat(failed.cause()).isSameAs(checked));
      }
    }

    @Test
    void aTaskThatCannotSucceedIsCondemnedAfterItsTriesWithAllReasons() throws Exception {
      try (DevicePool pool = DevicePool.of(devices(5), options());
          Dispatcher dispatcher = Dispatcher.on(pool)) {
        AtomicInteger tries = new AtomicInteger();
        Task<Object> task =
            dispatcher.submit(
                Demand.any(),
                slot -> {
                  throw new IllegalStateException("reason " + tries.incrementAndGet());
                },
                RetryOptions.once().withTries(3));
        Outcome<Object> outcome = task.await();
        assertThat(tries).hasValue(3);
        assertThat(outcome).isInstanceOf(Outcome.Failed.class);
        List<FailedAttempt> failures = ((Outcome.Failed<Object>) outcome).failures();
        assertThat(failures).hasSize(3);
        assertThat(failures.stream().map(FailedAttempt::device)).doesNotHaveDuplicates();
        assertThatThrownBy(outcome::orThrow)
            .isInstanceOf(TaskException.Condemned.class)
            .hasMessageContainingAll("reason 1", "reason 2", "reason 3");
      }
    }

    @Test
    void whatFailedIsTriedElsewhereThoughTheDeviceThatFailedItIsLessLoaded() throws Exception {
      List<Device> devices = withSlots(devices(2), 8);
      Device busy = devices.getLast();
      try (DevicePool pool = DevicePool.of(devices, options());
          Dispatcher dispatcher = Dispatcher.on(pool)) {
        List<Lease> held = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
          held.add(TestingPools.lease(pool, busy));
        }
        Task<Device> task =
            dispatcher.submit(
                Demand.any(),
                slot -> {
                  if (!slot.device().equals(busy)) {
                    throw new IllegalStateException("not here");
                  }
                  return slot.device();
                },
                RetryOptions.once().withTries(2));
        assertThat(task.await().orThrow()).isEqualTo(busy);
        held.forEach(Lease::succeed);
      }
    }

    @Test
    void aPartThatCannotSucceedIsCondemnedWithAllReasonsAndTheRestIsDone() throws Exception {
      try (DevicePool pool = DevicePool.of(devices(4), options());
          Dispatcher dispatcher = Dispatcher.on(pool)) {
        AtomicInteger tries = new AtomicInteger();
        RangeReport report =
            dispatcher.overRange(
                100,
                1,
                Demand.any(),
                (part, slot) -> {
                  if (part.start() <= 40 && 40 < part.end()) {
                    tries.incrementAndGet();
                    throw new IllegalStateException("40 on " + slot.device());
                  }
                });
        assertThat(tries).hasValue(3);
        assertThat(report.condemned())
            .singleElement()
            .satisfies(condemned -> {
              assertThat(condemned.part().start()).isEqualTo(40);
              assertThat(condemned.part().length()).isEqualTo(1);
              assertThat(condemned.attempts()).hasSize(3);
              assertThat(condemned.attempts().stream().map(FailedAttempt::device))
                  .doesNotHaveDuplicates();
            });
        assertThatThrownBy(report::orThrow).hasMessageContaining("40 on ");
      }
    }
  }
}
