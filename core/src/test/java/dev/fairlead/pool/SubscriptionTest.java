package dev.fairlead.pool;

import static dev.fairlead.pool.TestingPools.lease;
import static dev.fairlead.pool.TestingPools.still;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.event.PoolListener;
import dev.fairlead.event.PoolListener.Event;
import dev.fairlead.event.Subscription;
import dev.fairlead.lease.Lease;
import dev.fairlead.policy.Demand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Listeners that come and go while a pool runs. */
@ExtendWith(NoThreadLeft.class)
class SubscriptionTest {
  private final ManualTicker ticker = new ManualTicker();
  private final Device device = TestingBackend.device(0);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final Thread.@Nullable UncaughtExceptionHandler handler =
      Thread.getDefaultUncaughtExceptionHandler();

  @AfterEach
  void restore() {
    goOn.countDown();
    Thread.setDefaultUncaughtExceptionHandler(handler);
  }

  private DevicePool pool() {
    PoolOptions options = still(ticker);
    return DevicePool.of(
        List.of(device), options.withTiming(options.timing().withGrace(Duration.ofMillis(200))));
  }

  private static List<Long> ends(DevicePool pool, TestingListener listener) {
    return listener.heard(pool, Event.Ended.class).stream().map(Event.Ended::lease).toList();
  }

  @Test
  void eachHearsOfLeasesThatWereAskedForAfterItCame() throws Exception {
    TestingListener first = new TestingListener();
    TestingListener second = new TestingListener();
    try (DevicePool pool = pool()) {
      lease(pool).succeed();
      pool.subscribe(first);
      Lease before = lease(pool);
      pool.subscribe(second);
      before.succeed();
      lease(pool).succeed();
      assertThat(ends(pool, first)).containsExactly(1L, 2L);
      assertThat(second.heard(pool, Event.Placed.class)).hasSize(1);
      assertThat(ends(pool, second)).containsExactly(2L);
    }
  }

  @Test
  void oneThatWasClosedHearsNoMore() throws Exception {
    TestingListener leaving = new TestingListener();
    TestingListener staying = new TestingListener();
    try (DevicePool pool = pool()) {
      Subscription subscription = pool.subscribe(leaving);
      pool.subscribe(staying);
      lease(pool).succeed();
      assertThat(ends(pool, leaving)).hasSize(1);
      subscription.close();
      subscription.close();
      lease(pool).succeed();
      assertThat(ends(pool, staying)).hasSize(2);
      assertThat(ends(pool, leaving)).hasSize(1);
    }
  }

  @Test
  void oneThatBlocksOrThrowsHarmsNeitherThePoolNorTheOthers() throws Exception {
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {});
    CountDownLatch inside = new CountDownLatch(1);
    AtomicInteger thrown = new AtomicInteger();
    TestingListener other = new TestingListener();
    try (DevicePool pool = pool()) {
      pool.subscribe(event -> {
        inside.countDown();
        Eventually.open(goOn);
      });
      pool.subscribe(event -> {
        thrown.incrementAndGet();
        throw new StackOverflowError("as if");
      });
      List<Event> heard = new CopyOnWriteArrayList<>();
      pool.subscribe(heard::add);
      for (int i = 0; i < 10; i++) {
        lease(pool).succeed();
      }
      Eventually.open(inside);
      Eventually.until("the others have heard all", () -> heard.size() == 20);
      Eventually.until("the one that throws as well", () -> thrown.get() == 20);
      goOn.countDown();
      pool.subscribe(other);
      lease(pool).succeed();
      assertThat(ends(pool, other)).hasSize(1);
    }
  }

  @Test
  void aListenerMayCloseItsOwnSubscription() throws Exception {
    AtomicReference<@Nullable Subscription> own = new AtomicReference<>();
    AtomicInteger heard = new AtomicInteger();
    TestingListener other = new TestingListener();
    try (DevicePool pool = pool()) {
      own.set(
          pool.subscribe(event -> {
            heard.incrementAndGet();
            Subscription mine = own.get();
            if (mine != null) {
              mine.close();
            }
          }));
      pool.subscribe(other);
      for (int i = 0; i < 5; i++) {
        lease(pool).succeed();
      }
      assertThat(ends(pool, other)).hasSize(5);
      assertThat(heard).hasValue(1);
    }
  }

  @Test
  void aClosedPoolTellsNothing() {
    DevicePool pool = pool();
    List<Event> heard = new CopyOnWriteArrayList<>();
    List<Event> late = new CopyOnWriteArrayList<>();
    pool.subscribe(heard::add);
    pool.close();
    Subscription nothing = pool.subscribe(late::add);
    Eventually.until("it was told", () -> heard.contains(new Event.Closing()));
    nothing.close();
    assertThat(late).isEmpty();
  }

  @Test
  void tellsWhatDecidesWhetherADeviceServes() throws Exception {
    TestingListener listener = new TestingListener();
    try (DevicePool pool = pool()) {
      pool.subscribe(listener);
      Device other = TestingBackend.device(1);
      pool.add(other);
      pool.pause(device.id());
      pool.pause(device.id());
      pool.resume(device.id());
      pool.resume(device.id());
      assertThat(pool.remove(other.id(), TestingPools.LONG)).isTrue();
      assertThat(listener.heard(pool, Event.class))
          .containsExactly(
              new Event.Added(other, 1),
              new Event.Paused(device),
              new Event.Resumed(device),
              new Event.Leaving(other),
              new Event.Removed(other, 1));
    }
  }

  @Test
  void tellsOfFreedDevicesToThoseWhoWantItOnceUntilTheyHaveHeard() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    List<Event> heard = new CopyOnWriteArrayList<>();
    PoolListener wanting =
        new PoolListener() {
          @Override
          public void on(Event event) {
            inside.countDown();
            Eventually.open(goOn);
            heard.add(event);
          }

          @Override
          public boolean wantsLeases() {
            return false;
          }

          @Override
          public boolean wantsFreed() {
            return true;
          }
        };
    try (DevicePool pool = pool()) {
      pool.subscribe(wanting);
      lease(pool).succeed();
      Eventually.open(inside);
      for (int i = 0; i < 9; i++) {
        lease(pool).succeed();
      }
      goOn.countDown();
      Eventually.until("it has heard", () -> heard.size() >= 2);
      lease(pool).succeed();
      Eventually.until("it has heard again", () -> heard.size() >= 3);
      assertThat(heard).containsOnly(new Event.Freed(device)).hasSize(3);
    }
  }

  /** {@link Event.Added} comes before the work on a device, and so before it is in the pool. */
  @Test
  void aDeviceThatIsAddedIsReportedOnceMoreWhenItIsInThePool() throws Exception {
    try (DevicePool pool = pool()) {
      Device other = TestingBackend.device(1);
      CompletableFuture<Boolean> isThere = new CompletableFuture<>();
      pool.subscribe(
          new PoolListener() {
            @Override
            public void on(Event event) {
              if (event.equals(new Event.Freed(other))) {
                isThere.complete(pool.devices().contains(other));
              }
            }

            @Override
            public boolean wantsFreed() {
              return true;
            }
          });
      pool.add(other);
      assertThat(isThere.get(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void whatEachHearsOfALeaseIsWholeThoughTheyComeAndGo() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    try (DevicePool pool = pool()) {
      var busy =
          Eventually.start(() -> {
            while (!over.get()) {
              pool.tryLease(Demand.any()).ifPresent(Lease::succeed);
            }
            return true;
          });
      for (int round = 0; round < 200; round++) {
        List<Event> heard = new CopyOnWriteArrayList<>();
        try (Subscription _ = pool.subscribe(heard::add)) {
          Eventually.until("it hears", () -> heard.size() >= 4);
        }
        requireWhole(new ArrayList<>(heard));
      }
      over.set(true);
      assertThat(busy.result()).isTrue();
    }
  }

  private static void requireWhole(List<Event> events) {
    Set<Long> placed = new HashSet<>();
    for (Event event : events) {
      if (event instanceof Event.Placed it) {
        placed.add(it.lease());
      } else if (event instanceof Event.Ended it) {
        assertThat(placed).as("of %s", events).contains(it.lease());
      }
    }
  }
}
