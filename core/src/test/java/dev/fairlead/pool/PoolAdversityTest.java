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

/** What a pool withstands: lines, waiters, closing, contexts. */
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
class PoolAdversityTest {
  static final Duration LONG = Duration.ofSeconds(30);
  final ManualTicker ticker = new ManualTicker();
  final TestingBackend backend = new TestingBackend();

  PoolOptions manual() {
    return PoolOptions.usual()
        .withTicker(ticker)
        .withTiming(Timing.usual().withPoll(Duration.ofHours(1)).withGrace(Duration.ofSeconds(2)));
  }

  @Test
  void aJobInLineAndAWaiterDoNotWaitForEachOther() throws Exception {
    Device device = TestingBackend.device(0).withMemory(10);
    try (DevicePool pool = DevicePool.of(List.of(device), manual())) {
      Lease first = pool.lease(Demand.any().withMemory(5), LONG);
      Once large = new Once();
      pool.submit(Demand.any().withMemory(8), large);
      Once small = new Once();
      pool.submit(Demand.any().withMemory(5), small);
      first.succeed();
      Eventually.open(small.ran);
      Eventually.open(large.ran);
    }
  }

  @Test
  void anUrgentWaiterAndAJobInLineDoNotWaitForEachOther() throws Exception {
    Device device = TestingBackend.device(0).withMemory(10);
    try (DevicePool pool = DevicePool.of(List.of(device), manual())) {
      Lease first = pool.lease(Demand.any(), LONG);
      Once small = new Once();
      pool.submit(Demand.any().withMemory(5), small);
      Once large = new Once();
      pool.submit(Demand.any().withMemory(8).withPriority(Priority.HIGH), large);
      first.succeed();
      Eventually.open(small.ran);
      Eventually.open(large.ran);
    }
  }

  @Test
  void withdrawingTheHeadOfALineStartsThoseBehindIt() throws Exception {
    Device device = TestingBackend.device(0).withSlots(2);
    try (DevicePool pool = DevicePool.of(List.of(device), manual())) {
      try (Lease held = pool.lease(Demand.any(), LONG)) {
        var wide = pool.submit(Demand.any().withSlots(2), new Once());
        Once narrow = new Once();
        pool.submit(Demand.any(), narrow);
        assertThat(pool.withdraw(wide)).isTrue();
        Eventually.open(narrow.ran);
        held.succeed();
      }
    }
  }

  @Test
  void closingWhileALeaseRunsClosesItsContextOnce() throws Exception {
    Device device = TestingBackend.device(0);
    for (int i = 0; i < 20; i++) {
      DevicePool pool = DevicePool.open(backend.found(List.of(device)), manual());
      Lease lease = pool.lease(Demand.any(), LONG);
      var closing =
          Eventually.start(() -> {
            pool.close();
            return 0;
          });
      Eventually.until(
          "draining",
          () ->
              pool.explain(Demand.any()).verdicts().isEmpty()
                  || pool.explain(Demand.any()).verdicts().get(0).finding()
                      == Explanation.Finding.INELIGIBLE);
      lease.succeed();
      closing.result();
      Eventually.until("threads end", () -> Eventually.fairleadThreads().isEmpty());
    }
    assertThat(backend.contexts()).allSatisfy(c -> assertThat(c.closedOn()).hasSize(1));
  }

  @Test
  void twoThreadsThatCloseCloseEachContextOnce() throws Exception {
    for (int i = 0; i < 300; i++) {
      DevicePool pool = DevicePool.open(backend.found(TestingBackend.devices(1)), manual());
      CyclicBarrier barrier = new CyclicBarrier(2);
      AtomicInteger spin = new AtomicInteger();
      var one =
          Eventually.start(() -> {
            spin.incrementAndGet();
            while (spin.get() < 2) Thread.onSpinWait();
            pool.close();
            return 0;
          });
      var two =
          Eventually.start(() -> {
            spin.incrementAndGet();
            while (spin.get() < 2) Thread.onSpinWait();
            pool.close();
            return 0;
          });
      one.result();
      two.result();
      Eventually.until("threads end", () -> Eventually.fairleadThreads().isEmpty());
    }
    assertThat(backend.contexts()).allSatisfy(c -> assertThat(c.closedOn()).hasSize(1));
  }

  @Test
  void aRebuildThatFailsDoesNotCloseTheOldContextAgain() throws Exception {
    Device device = TestingBackend.device(0);
    try (DevicePool pool = DevicePool.open(backend.found(List.of(device)), manual())) {
      Lease lease = pool.lease(Demand.any(), LONG);
      lease.fail(new DeviceException(Fault.CONTEXT, "poisoned"));
      AtomicBoolean broken = new AtomicBoolean(true);
      backend
          .on(device)
          .opens(() -> {
            if (broken.get()) throw new IllegalStateException("no");
          });
      ticker.advance(Duration.ofSeconds(2));
      pool.keeper().tick(ticker.nanos());
      Eventually.until("opened twice", () -> backend.on(device).opened() == 2);
      Eventually.until(
          "probe over",
          () ->
              pool.explain(Demand.any()).toString().contains("probed again in")
                  && !pool.explain(Demand.any()).toString().contains("again in 0 ms"));
      broken.set(false);
      ticker.advance(Duration.ofSeconds(10));
      pool.keeper().tick(ticker.nanos());
      Eventually.until("probing", () -> pool.health(device.id()) == Health.PROBING);
      assertThat(backend.contexts(device).get(0).closedOn()).hasSize(1);
    }
  }

  @Test
  void aProbeThatThrowsAnErrorDoesNotEndTheDevicesThread() throws Exception {
    Device device = TestingBackend.device(0);
    try (DevicePool pool = DevicePool.open(backend.found(List.of(device)), manual())) {
      pool.lease(Demand.any(), LONG).fail(new DeviceException(Fault.CONTEXT, "poisoned"));
      backend
          .on(device)
          .probes(() -> {
            throw new AssertionError("probe");
          });
      ticker.advance(Duration.ofSeconds(2));
      pool.keeper().tick(ticker.nanos());
      Eventually.until("probed", () -> backend.on(device).probed() == 1);
      Eventually.until(
          "probe over",
          () ->
              pool.explain(Demand.any()).toString().contains("probed again in")
                  && !pool.explain(Demand.any()).toString().contains("again in 0 ms"));
      backend.on(device).probes(() -> {});
      ticker.advance(Duration.ofSeconds(10));
      pool.keeper().tick(ticker.nanos());
      Eventually.until("probing", () -> pool.health(device.id()) == Health.PROBING);
    }
  }

  @Test
  void aListenerThatThrowsAnErrorHarmsNothing() throws Exception {
    PoolOptions options =
        manual()
            .withListener(event -> {
              throw new AssertionError("listener");
            });
    DevicePool pool =
        DevicePool.of(
            TestingBackend.devices(1),
            manual()
                .withListener(event -> {
                  if (event instanceof PoolListener.Event.Ended)
                    throw new AssertionError("listener");
                }));
    try (pool) {
      Once first = new Once();
      pool.submit(Demand.any(), first);
      Eventually.until("ended", () -> pool.snapshot().totals().completed() == 1);
      Once second = new Once();
      pool.submit(Demand.any(), second);
      Eventually.open(second.ran);
    }
  }

  @Test
  void aJobThatThrowsNeitherKeepsItsLeaseNorEndsTheThread() throws Exception {
    try (DevicePool pool = DevicePool.of(TestingBackend.devices(1), manual())) {
      pool.submit(
          Demand.any(),
          new Once() {
            @Override
            public void run(Lease lease) {
              throw new IllegalStateException("job");
            }
          });
      Once second = new Once();
      pool.submit(Demand.any(), second);
      Eventually.open(second.ran);
    }
  }

  @Test
  void aBackendThatCannotClassifyAFailureHangsNobody() throws Exception {
    Device device = TestingBackend.device(0);
    backend
        .on(device)
        .classifies(failure -> {
          throw new IllegalStateException("classify");
        });
    DevicePool pool = DevicePool.open(backend.found(List.of(device)), manual());
    try (pool) {
      IllegalArgumentException thrown = new IllegalArgumentException("work");
      var run =
          Eventually.start(() -> {
            try (Lease lease = pool.lease(Demand.any(), LONG)) {
              return lease.run(slot -> {
                throw thrown;
              });
            }
          });
      assertThatThrownBy(run::result).isSameAs(thrown);
      assertThat(pool.snapshot().totals().outstanding()).isZero();
    }
  }
}
