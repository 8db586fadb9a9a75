package dev.fairlead.pool;

import static dev.fairlead.pool.TestingBackend.devices;
import static dev.fairlead.pool.TestingPools.LONG;
import static dev.fairlead.pool.TestingPools.awaitWaiting;
import static dev.fairlead.pool.TestingPools.lease;
import static dev.fairlead.pool.TestingPools.still;
import static dev.fairlead.pool.TestingPools.tick;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.event.PoolListener.Event;
import dev.fairlead.health.Health;
import dev.fairlead.lease.Lease;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Priority;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Delays that are longer than nanoseconds reach are meant as they are written. */
@ExtendWith(NoThreadLeft.class)
class ForEverTest {
  private static final Duration FOR_EVER = ChronoUnit.FOREVER.getDuration();
  private static final Duration CENTURY = Duration.ofDays(36_525);

  private final ManualTicker ticker = new ManualTicker();
  private final TestingBackend backend = new TestingBackend();
  private final TestingListener listener = new TestingListener();
  private final Device device = TestingBackend.device(0);

  private static Stream<Duration> delays() {
    return Stream.of(CENTURY, Duration.ofDays(146 * 366), CENTURY.multipliedBy(3), FOR_EVER);
  }

  private PoolOptions with(Timing timing) {
    return still(ticker).withListener(listener).withTiming(timing);
  }

  @ParameterizedTest
  @MethodSource("delays")
  void nobodyPassesAHigherPriorityWhenAgeingTakesForEver(Duration ageing) throws Exception {
    List<Priority> served = new CopyOnWriteArrayList<>();
    List<Eventually.Started<Boolean>> waiters = new ArrayList<>();
    Timing timing = still(ticker).timing().withAgeing(ageing);
    try (DevicePool pool = DevicePool.of(devices(1), with(timing))) {
      Lease held = lease(pool);
      for (Priority priority : Priority.values()) {
        waiters.add(
            Eventually.start(() -> {
              Lease lease = pool.lease(Demand.any().withPriority(priority), LONG);
              served.add(priority);
              lease.succeed();
              return true;
            }));
        awaitWaiting(pool, waiters.size());
        ticker.advance(Duration.ofDays(1));
      }
      held.succeed();
      for (var waiter : waiters) {
        assertThat(waiter.result()).isTrue();
      }
    }
    assertThat(served).containsExactly(Priority.HIGH, Priority.NORMAL, Priority.LOW);
  }

  @ParameterizedTest
  @MethodSource("delays")
  void aPoolWithAGraceThatNeverEndsClosesWhenItsWorkHasEnded(Duration grace) throws Exception {
    DevicePool pool =
        DevicePool.open(
            backend.found(List.of(device)), with(still(ticker).timing().withGrace(grace)));
    Lease held = lease(pool);
    var closing = Eventually.close(pool);
    closing.isWaiting();
    held.succeed();
    assertThat(closing.result()).isTrue();
    assertThat(backend.contexts(device).getFirst().closedOn()).hasSize(1);
    assertThat(listener.heard(pool, Event.Trouble.class)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("delays")
  void aDeviceIsAskedOnceWhenThePollNeverComes(Duration poll) {
    CountDownLatch answer = new CountDownLatch(1);
    backend
        .on(device)
        .samples(() -> {
          Eventually.open(answer);
          return Optional.empty();
        });
    Timing timing = still(ticker).timing().withPoll(poll);
    try (DevicePool pool = DevicePool.open(backend.found(List.of(device)), with(timing))) {
      for (int year = 0; year < 10; year++) {
        tick(pool, ticker, Duration.ofDays(365));
      }
      assertThat(pool.health(device.id())).isEqualTo(Health.READY);
      answer.countDown();
      assertThat(listener.heard(pool, Event.Trouble.class)).isEmpty();
    } finally {
      answer.countDown();
    }
  }

  @ParameterizedTest
  @MethodSource("delays")
  void aLeaseIsNeitherOverdueNorHungBeforeItsTime(Duration limit) throws Exception {
    Timing timing = still(ticker).timing().withOverdue(limit).withWatchdog(limit);
    try (DevicePool pool = DevicePool.of(List.of(device), with(timing))) {
      Lease held = lease(pool);
      tick(pool, ticker, Duration.ofDays(3_650));
      assertThat(listener.heard(pool, Event.Overdue.class)).isEmpty();
      held.succeed();
    }
  }

  @Test
  void nanosecondsReachAsFarAsTheyCan() {
    assertThat(Timing.nanos(Duration.ofNanos(7))).isEqualTo(7);
    assertThat(Timing.nanos(FOR_EVER)).isEqualTo(Long.MAX_VALUE);
    assertThat(Timing.nanos(FOR_EVER.negated())).isEqualTo(Long.MIN_VALUE);
  }
}
