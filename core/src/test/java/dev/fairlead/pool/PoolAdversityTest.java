package dev.fairlead.pool;

import static dev.fairlead.pool.TestingPools.LONG;
import static dev.fairlead.pool.TestingPools.awaitHealth;
import static dev.fairlead.pool.TestingPools.fault;
import static dev.fairlead.pool.TestingPools.still;
import static dev.fairlead.pool.TestingPools.tick;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Device;
import dev.fairlead.device.Fault;
import dev.fairlead.event.PoolListener;
import dev.fairlead.health.Health;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.Ticket;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Explanation;
import dev.fairlead.policy.Priority;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a pool withstands: lines, waiters, closing, contexts. */
@ExtendWith(NoThreadLeft.class)
class PoolAdversityTest {
  private final ManualTicker ticker = new ManualTicker();
  private final TestingBackend backend = new TestingBackend();
  private final Device device = TestingBackend.device(0);

  private DevicePool of(Device only) {
    return DevicePool.of(List.of(only), still(ticker));
  }

  private DevicePool open(Device only) {
    return DevicePool.open(backend.found(List.of(only)), still(ticker));
  }

  private void requireEachClosedOnce() {
    assertThat(backend.contexts()).allSatisfy(context -> assertThat(context.closedOn()).hasSize(1));
  }

  private static void awaitThreadsEnd() {
    Eventually.until("threads end", () -> Eventually.fairleadThreads().isEmpty());
  }

  @Test
  void aJobInLineAndAWaiterDoNotWaitForEachOther() throws Exception {
    try (DevicePool pool = of(device.withMemory(10))) {
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
    try (DevicePool pool = of(device.withMemory(10))) {
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
    try (DevicePool pool = of(device.withSlots(2))) {
      try (Lease held = pool.lease(Demand.any(), LONG)) {
        Ticket wide = pool.submit(Demand.any().withSlots(2), new Once());
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
    for (int i = 0; i < 20; i++) {
      DevicePool pool = open(device);
      Lease lease = pool.lease(Demand.any(), LONG);
      var closing = Eventually.close(pool);
      Eventually.until("draining", () -> isDraining(pool));
      lease.succeed();
      closing.result();
      awaitThreadsEnd();
    }
    requireEachClosedOnce();
  }

  private static boolean isDraining(DevicePool pool) {
    List<Explanation.Verdict> verdicts = pool.explain(Demand.any()).verdicts();
    return verdicts.isEmpty() || verdicts.getFirst().finding() == Explanation.Finding.INELIGIBLE;
  }

  @Test
  void twoThreadsThatCloseCloseEachContextOnce() throws Exception {
    for (int i = 0; i < 300; i++) {
      DevicePool pool = open(device);
      CyclicBarrier here = new CyclicBarrier(2);
      AutoCloseable together =
          () -> {
            here.await(LONG.toSeconds(), TimeUnit.SECONDS);
            pool.close();
          };
      var one = Eventually.close(together);
      var two = Eventually.close(together);
      one.result();
      two.result();
      awaitThreadsEnd();
    }
    requireEachClosedOnce();
  }

  private void awaitFailedProbe(DevicePool pool) {
    Eventually.until(
        "the probe is over",
        () -> {
          String text = pool.explain(Demand.any()).toString();
          return text.contains("probed again in") && !text.contains("again in 0 ms");
        });
  }

  @Test
  void aRebuildThatFailsDoesNotCloseTheOldContextAgain() throws Exception {
    try (DevicePool pool = open(device)) {
      pool.lease(Demand.any(), LONG).fail(fault(Fault.CONTEXT));
      backend
          .on(device)
          .opens(() -> {
            throw new IllegalStateException("no");
          });
      tick(pool, ticker, Duration.ofSeconds(2));
      Eventually.until("opened twice", () -> backend.on(device).opened() == 2);
      awaitFailedProbe(pool);
      backend.on(device).opens(() -> {});
      tick(pool, ticker, Duration.ofSeconds(10));
      awaitHealth(pool, device, Health.PROBING);
      assertThat(backend.contexts(device).getFirst().closedOn()).hasSize(1);
    }
  }

  @Test
  void aProbeThatThrowsAnErrorDoesNotEndTheDevicesThread() throws Exception {
    try (DevicePool pool = open(device)) {
      pool.lease(Demand.any(), LONG).fail(fault(Fault.CONTEXT));
      backend
          .on(device)
          .probes(() -> {
            throw new AssertionError("probe");
          });
      tick(pool, ticker, Duration.ofSeconds(2));
      Eventually.until("probed", () -> backend.on(device).probed() == 1);
      awaitFailedProbe(pool);
      backend.on(device).probes(() -> {});
      tick(pool, ticker, Duration.ofSeconds(10));
      awaitHealth(pool, device, Health.PROBING);
    }
  }

  @Test
  void aListenerThatThrowsAnErrorHarmsNothing() throws Exception {
    PoolOptions options =
        still(ticker)
            .withListener(event -> {
              if (event instanceof PoolListener.Event.Ended) {
                throw new AssertionError("listener");
              }
            });
    try (DevicePool pool = DevicePool.of(List.of(device), options)) {
      pool.submit(Demand.any(), new Once());
      Eventually.until("ended", () -> pool.snapshot().totals().completed() == 1);
      Once second = new Once();
      pool.submit(Demand.any(), second);
      Eventually.open(second.ran);
    }
  }

  @Test
  void aJobThatThrowsNeitherKeepsItsLeaseNorEndsTheThread() throws Exception {
    try (DevicePool pool = of(device)) {
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
    backend
        .on(device)
        .classifies(failure -> {
          throw new IllegalStateException("classify");
        });
    try (DevicePool pool = open(device)) {
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
