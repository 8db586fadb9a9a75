package dev.fairlead.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.DeviceException;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.DeviceProvider;
import dev.fairlead.device.DeviceWork;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Fault;
import dev.fairlead.device.Resources;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.outcome.Outcome;
import dev.fairlead.outcome.RetryOptions;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Policies;
import dev.fairlead.policy.Priority;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.PoolOptions;
import dev.fairlead.pool.PoolSnapshot;
import dev.fairlead.pool.Timing;
import dev.fairlead.stats.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Random fleets under random demands, with failures of every kind, slow work, devices that come and
 * go, and cancellations from several threads: every item ends once and for a reason, and nothing
 * stays reserved. Time runs a hundred times faster for the pool, so that quarantines pass quickly.
 */
class TurmoilPropertyTest {
  private static final boolean FULL = Boolean.getBoolean("fairlead.full");
  private static final int HASTE = 100;
  private static final Duration PATIENCE =
      Duration.ofSeconds(Integer.getInteger("fairlead.patience", 60));
  private static final int ITEMS = 120;
  private static final long HOST_SESSIONS = 3;

  private static final class TestingProvider implements DeviceProvider {
    private final AtomicInteger open = new AtomicInteger();

    @Override
    public String scheme() {
      return "testing";
    }

    @Override
    public Discovery discover(List<String> terms) {
      return Discovery.of(this, List.of());
    }

    @Override
    public DeviceContext open(Device device) {
      open.incrementAndGet();
      return new DeviceContext() {
        @Override
        public Optional<Sample> sample() {
          return Optional.of(new Sample(device.memoryBytes(), 0));
        }

        @Override
        public void close() {
          open.decrementAndGet();
        }
      };
    }
  }

  @Test
  void everyItemEndsOnceAndNothingStaysReserved() throws InterruptedException {
    Long only = Long.getLong("fairlead.seed");
    int runs = FULL ? 1_500 : 60;
    for (int run = 0; run < runs; run++) {
      long seed = only == null ? 7_919L * run + 1 : only;
      try {
        turmoil(seed);
      } catch (AssertionError | RuntimeException failure) {
        throw new AssertionError("failed with -Dfairlead.seed=" + seed, failure);
      }
    }
  }

  private static void turmoil(long seed) throws InterruptedException {
    Random random = new Random(seed);
    TestingProvider provider = new TestingProvider();
    List<Device> devices =
        IntStream.range(0, 1 + random.nextInt(5)).mapToObj(i -> device(i, random)).toList();
    PoolOptions options =
        PoolOptions.usual()
            .withPolicy(Policies.all().get(random.nextInt(Policies.all().size())))
            .withTicker(hasty())
            .withSeed(seed)
            .withHostLimits(Map.of("session", HOST_SESSIONS))
            .withTiming(
                Timing.usual().withPoll(Duration.ofMillis(4)).withAgeing(Duration.ofMillis(5)));
    List<AtomicInteger> successes =
        IntStream.range(0, ITEMS).mapToObj(any -> new AtomicInteger()).toList();
    try (DevicePool pool = DevicePool.open(Discovery.of(provider, devices), options)) {
      try (Dispatcher dispatcher = Dispatcher.on(pool, 1 + random.nextInt(200))) {
        List<Task<Integer>> tasks = new ArrayList<>();
        Thread meddler = Thread.ofPlatform().start(() -> meddle(pool, provider, tasks, seed));
        for (int item = 0; item < ITEMS; item++) {
          Optional<Task<Integer>> task = submit(dispatcher, item, random, successes.get(item));
          if (task.isEmpty()) {
            break;
          }
          synchronized (tasks) {
            tasks.add(task.get());
          }
        }
        meddler.join();
        for (int item = 0; item < tasks.size(); item++) {
          Optional<Outcome<Integer>> outcome = tasks.get(item).await(PATIENCE);
          assertThat(outcome).as("item %d ends; %s", item, pool.snapshot()).isPresent();
          check(outcome.get(), item, successes.get(item).get());
        }
      }
      assertNothingIsReserved(pool);
    }
    assertThat(provider.open).as("contexts left open").hasValue(0);
  }

  private static Ticker hasty() {
    long origin = System.nanoTime();
    return () -> (System.nanoTime() - origin) * HASTE;
  }

  private static Device device(int ordinal, Random random) {
    Resources capacity =
        Resources.oneSlot()
            .withSlots(1 + random.nextInt(3))
            .withMemory(1000)
            .with("encoder", 1 + random.nextInt(2));
    return Device.of(DeviceKind.SIMULATED, ordinal)
        .withWeight(0.5 + random.nextInt(4))
        .withCapacity(capacity);
  }

  /** Empty if all devices were lost, so that the item is rejected. */
  private static Optional<Task<Integer>> submit(
      Dispatcher dispatcher, int item, Random random, AtomicInteger successes)
      throws InterruptedException {
    Demand demand =
        Demand.of("kind" + random.nextInt(2), 1 + random.nextInt(5))
            .withPriority(Priority.values()[random.nextInt(3)]);
    Demand asked =
        switch (random.nextInt(6)) {
          case 0 -> demand.withMemory(random.nextInt(1001));
          case 1 -> demand.with("encoder", 1);
          case 2 -> demand.with("session", 1 + random.nextInt((int) HOST_SESSIONS));
          case 3 -> demand.withMinimumFreeBytes(random.nextInt(1001));
          case 4 -> demand.withAffinity("key" + random.nextInt(4));
          default -> Demand.any();
        };
    int fate = random.nextInt(100);
    long nanos = random.nextInt(4) == 0 ? random.nextInt(800_000) : 0;
    AtomicInteger tries = new AtomicInteger();
    DeviceWork<Integer, RuntimeException> work =
        slot -> {
          LockSupport.parkNanos(nanos);
          boolean first = tries.getAndIncrement() == 0;
          switch (fate) {
            case 0, 1, 2, 3, 4 -> throw new IllegalStateException("always wrong");
            case 5, 6, 7 -> failFirst(first, Fault.WORK);
            case 8, 9, 10, 11, 12 -> failFirst(first, Fault.DEVICE);
            case 13, 14 -> failFirst(first, Fault.OUT_OF_MEMORY);
            case 15 -> failFirst(first, Fault.CONTEXT);
            case 16 -> failFirst(first && slot.device().ordinal() % 3 == 1, Fault.LOST);
            case 17 -> throw new AssertionError("an Error");
            default -> {}
          }
          successes.incrementAndGet();
          return item;
        };
    try {
      return Optional.of(
          dispatcher.submit(asked, work, RetryOptions.once().withTries(1 + random.nextInt(4))));
    } catch (PoolException.Rejected nobodyLeft) {
      assertThat(nobodyLeft).hasMessageContaining("the pool is empty");
      return Optional.empty();
    }
  }

  private static void failFirst(boolean now, Fault fault) {
    if (now) {
      throw new DeviceException(fault, "injected " + fault);
    }
  }

  /** Adds and removes devices, cancels tasks, takes leases and snapshots, all at once. */
  private static void meddle(
      DevicePool pool, TestingProvider provider, List<Task<Integer>> tasks, long seed) {
    Random random = new Random(~seed);
    try {
      for (int step = 0; step < 40; step++) {
        switch (random.nextInt(5)) {
          case 0 -> pool.add(new Discovery.Found(device(100 + step, random), provider));
          case 1 -> {
            List<Device> all = pool.devices();
            if (all.size() > 1) {
              pool.remove(all.get(random.nextInt(all.size())).id(), Duration.ofMillis(2));
            }
          }
          case 2 -> {
            synchronized (tasks) {
              if (!tasks.isEmpty()) {
                tasks.get(random.nextInt(tasks.size())).cancel();
              }
            }
          }
          case 3 -> {
            try (Lease lease = pool.lease(Demand.any().withMemory(400), Duration.ofMillis(3))) {
              lease.giveBack();
            } catch (PoolException.TimedOut | PoolException.Rejected busy) {
              assertThat(busy).hasMessageContaining("400 bytes");
            }
          }
          default -> assertConsistent(pool.snapshot());
        }
        LockSupport.parkNanos(random.nextInt(300_000));
      }
    } catch (PoolException.UnknownDevice goneMeanwhile) {
      // Lost between the look and the removal: nothing left to meddle with there.
    } catch (InterruptedException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static void assertConsistent(PoolSnapshot snapshot) {
    for (PoolSnapshot.Entry entry : snapshot.devices()) {
      assertThat(entry.stats().outstanding()).isNotNegative();
      assertThat(entry.leases().size()).isLessThanOrEqualTo(entry.device().slots());
      assertThat(entry.load().freeBytes()).isBetween(0L, entry.device().memoryBytes());
    }
  }

  private static void check(Outcome<Integer> outcome, int item, int successes) {
    switch (outcome) {
      case Outcome.Succeeded<Integer> succeeded -> {
        assertThat(succeeded.value()).isEqualTo(item);
        assertThat(successes).as("runs that succeeded").isEqualTo(1);
      }
      case Outcome.Failed<Integer> failed -> {
        assertThat(failed.cause()).isNotNull();
        assertThat(successes).as("runs that succeeded of a failed item").isZero();
      }
      case Outcome.Cancelled<Integer> cancelled -> {
        assertThat(cancelled.reason()).isNotBlank();
        assertThat(successes).isLessThanOrEqualTo(1);
      }
    }
  }

  private static void assertNothingIsReserved(DevicePool pool) throws InterruptedException {
    PoolSnapshot snapshot = pool.snapshot();
    assertThat(snapshot.waiting()).as("waiting").isZero();
    assertThat(snapshot.totals().outstanding()).as("outstanding: %s", snapshot).isZero();
    for (PoolSnapshot.Entry entry : snapshot.devices()) {
      assertThat(entry.load().freeBytes()).isEqualTo(entry.device().memoryBytes());
      assertThat(entry.leases()).isEmpty();
    }
    if (pool.size() > 0) {
      Demand everySession = Demand.any().with("session", HOST_SESSIONS);
      try (Lease lease = pool.lease(everySession, PATIENCE)) {
        lease.succeed();
      }
    }
  }
}
