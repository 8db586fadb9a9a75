package dev.fairlead.pool;

import static dev.fairlead.pool.TestingBackend.devices;
import static dev.fairlead.pool.TestingPools.LONG;
import static dev.fairlead.pool.TestingPools.lease;
import static dev.fairlead.pool.TestingPools.requireAtRest;
import static dev.fairlead.pool.TestingPools.still;
import static dev.fairlead.pool.TestingPools.tick;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.dispatch.Dispatcher;
import dev.fairlead.dispatch.Task;
import dev.fairlead.event.PoolListener;
import dev.fairlead.event.PoolListener.Event;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.policy.Demand;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Foreign code that the pool calls: listeners that ask and block, handlers and work that throw. */
@ExtendWith(NoThreadLeft.class)
class ListenerTest {
  private final ManualTicker ticker = new ManualTicker();
  private final TestingBackend backend = new TestingBackend();
  private final Device device = TestingBackend.device(0);
  private final Thread.@Nullable UncaughtExceptionHandler handler =
      Thread.getDefaultUncaughtExceptionHandler();
  private final CountDownLatch goOn = new CountDownLatch(1);

  @AfterEach
  void restore() {
    goOn.countDown();
    Thread.setDefaultUncaughtExceptionHandler(handler);
  }

  private PoolOptions heardBy(PoolListener listener) {
    PoolOptions options = still(ticker).withListener(listener);
    return options.withTiming(options.timing().withGrace(Duration.ofMillis(200)));
  }

  /** A listener that is given its pool after the pool has been made. */
  private abstract static class Asking implements PoolListener {
    private final List<Object> answers = new CopyOnWriteArrayList<>();
    private volatile @Nullable DevicePool pool;

    @Override
    public void on(Event event) {
      DevicePool asked = pool;
      if (asked != null && event instanceof Event.Ended) {
        pool = null; // once: what it does makes events, too
        answers.add(answer(asked));
      }
    }

    abstract Object answer(DevicePool asked);
  }

  @Test
  void aListenerMayLookAtThePool() throws Exception {
    Asking asking =
        new Asking() {
          @Override
          Object answer(DevicePool asked) {
            return asked.snapshot().totals().completed();
          }
        };
    try (DevicePool pool = DevicePool.of(List.of(device), heardBy(asking))) {
      asking.pool = pool;
      lease(pool).succeed();
      Eventually.until("it has an answer", () -> !asking.answers.isEmpty());
      assertThat(asking.answers).containsExactly(1L);
    }
  }

  @Test
  void aListenerMayWaitForALease() throws Exception {
    Asking asking =
        new Asking() {
          @Override
          Object answer(DevicePool asked) {
            try (Lease lease = asked.lease(Demand.any(), LONG)) {
              return lease.<Object, RuntimeException>run(slot -> slot.device());
            } catch (InterruptedException interrupted) {
              throw new IllegalStateException(interrupted);
            }
          }
        };
    try (DevicePool pool = DevicePool.of(List.of(device), heardBy(asking))) {
      asking.pool = pool;
      Lease first = lease(pool);
      var second = Eventually.start(() -> pool.lease(Demand.any(), LONG));
      TestingPools.awaitWaiting(pool, 1);
      first.succeed();
      Lease held = second.result();
      TestingPools.awaitWaiting(pool, 1);
      held.succeed();
      Eventually.until("it has an answer", () -> !asking.answers.isEmpty());
      assertThat(asking.answers).containsExactly(device);
    }
  }

  @Test
  void aListenerMaySeeToItThatThePoolIsClosed() throws Exception {
    Asking asking =
        new Asking() {
          @Override
          Object answer(DevicePool asked) {
            return Eventually.close(asked);
          }
        };
    DevicePool pool = DevicePool.of(List.of(device), heardBy(asking));
    asking.pool = pool;
    lease(pool).succeed();
    Eventually.until("it closes", () -> !asking.answers.isEmpty());
    Eventually.close(pool).result();
    assertThatThrownBy(() -> pool.tryLease(Demand.any()))
        .isInstanceOf(PoolException.PoolClosed.class);
  }

  @Test
  void aListenerThatBlocksHoldsUpNobody() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    PoolListener blocking =
        event -> {
          inside.countDown();
          Eventually.open(goOn);
        };
    var others = Eventually.start(() -> work(heardBy(blocking), inside));
    try {
      assertThat(others.result()).as("the listener is still inside").isEqualTo(1);
    } finally {
      goOn.countDown();
    }
  }

  /** What a pool can be asked to do; how many listeners are still held when it is closed. */
  private long work(PoolOptions options, CountDownLatch inside) throws Exception {
    DevicePool pool = DevicePool.of(devices(2), options);
    Dispatcher dispatcher = Dispatcher.on(pool);
    Eventually.open(inside);
    for (int i = 0; i < 50; i++) {
      Task<Integer> task = dispatcher.submit(Demand.any(), slot -> 5);
      assertThat(task.await(LONG).orElseThrow().orThrow()).isEqualTo(5);
      lease(pool).succeed();
    }
    TestingJob held = WorkStealingTest.hold(pool, device);
    pool.add(TestingBackend.device(7));
    assertThat(pool.remove(TestingBackend.device(7).id(), LONG)).isTrue();
    tick(pool, ticker, Duration.ofSeconds(1));
    held.letGo();
    requireAtRest(pool);
    dispatcher.close();
    // It is still inside; closing leaves it behind after the grace.
    pool.close();
    return goOn.getCount();
  }

  @Test
  void aListenerThatThrowsHearsTheNextEvent() throws Exception {
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
      throw new IllegalStateException("the handler throws, too");
    });
    AtomicInteger heard = new AtomicInteger();
    PoolListener throwing =
        event -> {
          heard.incrementAndGet();
          throw new StackOverflowError("as if");
        };
    try (DevicePool pool = DevicePool.of(List.of(device), heardBy(throwing))) {
      for (int i = 0; i < 10; i++) {
        lease(pool).succeed();
      }
      Eventually.until("it has heard all", () -> heard.get() == 21);
    }
  }

  @Test
  void aDevicesThreadOutlivesJobsAndHandlersThatThrow() throws Exception {
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
      throw new IllegalStateException("the handler throws, too");
    });
    try (DevicePool pool = DevicePool.of(List.of(device), still(ticker))) {
      Thread before = thread(pool);
      for (int i = 0; i < 5; i++) {
        pool.submit(
            Demand.any(),
            new Once() {
              @Override
              public void run(Lease lease) {
                throw new OutOfMemoryError("as if");
              }
            });
      }
      Eventually.until("they have failed", () -> pool.snapshot().totals().failed() == 5);
      requireAtRest(pool);
      assertThat(thread(pool)).isSameAs(before);
    }
  }

  @Test
  void workThatRunsOutOfMemoryIsItsCallersAffair() throws Exception {
    try (DevicePool pool = DevicePool.of(List.of(device), still(ticker))) {
      Thread before = thread(pool);
      try (Lease lease = lease(pool)) {
        var caller =
            Eventually.start(() ->
                lease.run(slot -> {
                  throw new OutOfMemoryError("as if");
                }));
        assertThatThrownBy(caller::result).isInstanceOf(OutOfMemoryError.class);
      }
      assertThat(thread(pool)).isSameAs(before);
    }
  }

  private static Thread thread(DevicePool pool) throws InterruptedException {
    return pool.<Thread, RuntimeException>run(Demand.any(), slot -> Thread.currentThread());
  }

  @Test
  void theKeeperOutlivesWhatItRunsInto() throws Exception {
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
      throw new IllegalStateException("the handler throws, too");
    });
    AtomicInteger rounds = new AtomicInteger();
    PoolOptions options =
        TestingPools.options()
            .withTicker(() -> {
              if (Thread.currentThread().getName().equals("fairlead maintenance")
                  && rounds.incrementAndGet() <= 3) {
                throw new OutOfMemoryError("as if");
              }
              return System.nanoTime();
            });
    try (DevicePool pool = DevicePool.of(List.of(device), options)) {
      Eventually.until("it goes on", () -> rounds.get() > 10);
      lease(pool).succeed();
    }
  }

  @Test
  void theKeeperOutlivesASampleThatRunsOutOfMemory() throws Exception {
    AtomicInteger samples = new AtomicInteger();
    backend
        .on(device)
        .samples(() -> {
          if (samples.incrementAndGet() == 1) {
            throw new OutOfMemoryError("as if");
          }
          return Optional.of(new DeviceContext.Sample(0, 0));
        });
    try (DevicePool pool =
        DevicePool.open(backend.found(List.of(device)), TestingPools.options())) {
      Eventually.until("it is asked again", () -> samples.get() > 3);
      lease(pool).succeed();
    }
  }
}
