package dev.fairlead.pool;

import static dev.fairlead.pool.TestingPools.LONG;
import static dev.fairlead.pool.TestingPools.awaitHealth;
import static dev.fairlead.pool.TestingPools.entry;
import static dev.fairlead.pool.TestingPools.lease;
import static dev.fairlead.pool.TestingPools.requireAtRest;
import static dev.fairlead.pool.TestingPools.still;
import static dev.fairlead.pool.TestingPools.tick;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Device;
import dev.fairlead.event.PoolListener.Event;
import dev.fairlead.health.Health;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.policy.Demand;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What the maintenance thread reports and gives up as time passes, and that it does not delay a
 * close.
 */
@ExtendWith(NoThreadLeft.class)
class PoolMaintenanceTest {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final Duration MOMENT = Duration.ofMillis(1);

  private final ManualTicker ticker = new ManualTicker();
  private final TestingBackend backend = new TestingBackend();
  private final TestingListener listener = new TestingListener();
  private final Device device = TestingBackend.device(0);

  private PoolOptions limited() {
    PoolOptions options = still(ticker).withListener(listener);
    return options.withTiming(options.timing().withWatchdog(LIMIT).withOverdue(LIMIT));
  }

  private static final class Lasting extends Once {
    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    @Override
    public void run(Lease lease) {
      inside.countDown();
      Eventually.open(goOn);
      lease.succeedIfOpen();
      ran.countDown();
    }

    @Override
    public String holder() {
      return "the lasting job";
    }
  }

  @Test
  void aLeaseThatIsHeldTooLongIsReportedOnceWithItsHolder() throws Exception {
    try (DevicePool pool = DevicePool.of(List.of(device), limited())) {
      Demand demand = Demand.of("encode", 3);
      var holder =
          Eventually.start(() -> {
            Thread.currentThread().setName("the slow one");
            return pool.lease(demand, LONG);
          });
      Lease lease = holder.result();
      tick(pool, ticker, LIMIT);
      assertThat(listener.heard(pool, Event.Overdue.class)).isEmpty();
      tick(pool, ticker, MOMENT);
      tick(pool, ticker, LIMIT);
      assertThat(listener.heard(pool, Event.Overdue.class))
          .containsExactly(
              new Event.Overdue(device, demand, "thread the slow one", LIMIT.plus(MOMENT)));
      assertThat(pool.health(device.id())).isEqualTo(Health.READY);
      lease.succeed();
      Lease next = lease(pool);
      tick(pool, ticker, LIMIT.plus(MOMENT));
      assertThat(listener.heard(pool, Event.Overdue.class)).hasSize(2);
      next.succeed();
    }
  }

  @Test
  void aJobThatHangsIsGivenUpAndNamedByItsHolder() throws Exception {
    Lasting job = new Lasting();
    try (DevicePool pool = DevicePool.open(backend.found(List.of(device)), limited())) {
      pool.submit(Demand.any(), job);
      Eventually.open(job.inside);
      tick(pool, ticker, LIMIT);
      assertThat(job.abandoned).isNotDone();
      tick(pool, ticker, MOMENT);
      assertThat(job.abandoned).isDone();
      assertThat(job.abandoned.join())
          .isInstanceOfSatisfying(
              PoolException.WorkHung.class, hung -> assertThat(hung.device()).isEqualTo(device))
          .hasMessageContainingAll("the lasting job", device.toString(), "after 1 min");
      assertThat(listener.heard(pool, Event.Overdue.class))
          .singleElement()
          .satisfies(overdue -> assertThat(overdue.holder()).isEqualTo("the lasting job"));
      assertThat(pool.health(device.id())).isEqualTo(Health.QUARANTINED);
      requireAtRest(pool);
      assertThat(entry(pool, device).stats().failed()).isEqualTo(1);
    } finally {
      job.goOn.countDown();
    }
    Eventually.open(job.ran);
  }

  @Test
  void aDeviceWhoseWorkHangsServesAgainWithAnotherThreadAndAnotherContext() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (DevicePool pool = DevicePool.open(backend.found(List.of(device)), limited())) {
      Lease stuck = lease(pool);
      var work =
          Eventually.start(() -> {
            Thread.currentThread().setName("the stuck one");
            return stuck.run(slot -> {
              inside.countDown();
              Eventually.open(goOn);
              return Thread.currentThread();
            });
          });
      Eventually.open(inside);
      tick(pool, ticker, LIMIT.plus(MOMENT));
      assertThatThrownBy(work::result).isInstanceOf(PoolException.WorkHung.class);
      assertThatThrownBy(stuck::succeed).isInstanceOf(PoolException.LeaseEnded.class);
      tick(pool, ticker, Duration.ofSeconds(1));
      awaitHealth(pool, device, Health.PROBING);
      Lease next = lease(pool);
      Thread other = next.run(slot -> Thread.currentThread());
      assertThat(backend.contexts(device).getLast().boundOn()).containsExactly(other);
      next.succeed();
      assertThat(pool.health(device.id())).isEqualTo(Health.READY);
      // The thread that is stuck may still use the first context, so that nobody may close it.
      assertThat(backend.contexts(device)).hasSize(2);
      assertThat(backend.contexts(device).getFirst().closedOn()).isEmpty();
      goOn.countDown();
      requireAtRest(pool);
    } finally {
      goOn.countDown();
    }
    assertThat(backend.contexts(device).getLast().closedOn()).hasSize(1);
    assertThat(backend.contexts(device).getFirst().closedOn()).isEmpty();
  }

  /**
   * The maintenance thread is inside of its round when the pool is closed, and must not sleep after
   * it.
   */
  @Test
  void closingDoesNotWaitForTheKeepersNextRound() throws Exception {
    CountDownLatch in = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    PoolOptions options =
        still(ticker)
            .withTicker(() -> {
              if (Thread.currentThread().getName().equals("fairlead maintenance")) {
                in.countDown();
                Eventually.open(go);
              }
              return System.nanoTime();
            });
    DevicePool pool = DevicePool.of(List.of(device), options);
    Eventually.open(in);
    var closing = Eventually.close(pool);
    closing.isWaiting();
    go.countDown();
    assertThat(closing.result()).isTrue();
  }
}
