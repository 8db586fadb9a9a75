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
import dev.fairlead.lease.PoolException;
import dev.fairlead.outcome.RetryOptions;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Policies;
import dev.fairlead.policy.Priority;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.Eventually;
import dev.fairlead.pool.NoThreadLeft;
import dev.fairlead.pool.PoolOptions;
import dev.fairlead.pool.TestingPools;
import dev.fairlead.pool.Timing;
import dev.fairlead.stats.Ticker;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * One pool through a long time of turmoil: devices that come, go, fail, hang and lie; tasks that
 * are cancelled or miss their deadlines; a listener that throws. The pool's time runs a hundred
 * times as fast as the clock, so that the full length is an hour of it. At the end every task has
 * ended once, and nothing is left: no thread, no lease, no reservation, no memory.
 */
@ExtendWith(NoThreadLeft.class)
class SoakTest {
  private static final boolean FULL = Boolean.getBoolean("fairlead.full");
  private static final int HASTE = 100;

  /** Less than the watchdog allows: who has slept for so long may have been given up. */
  private static final long MAY_HANG_NANOS = 2_000_000;

  private static final Duration LENGTH = FULL ? Duration.ofHours(1) : Duration.ofMinutes(4);
  private static final int MOST_DEVICES = 8;
  private static final long GROWTH_BYTES = 8 << 20;

  private final AtomicLong submitted = new AtomicLong();
  private final AtomicLong ended = new AtomicLong();
  private final AtomicInteger contexts = new AtomicInteger();
  private final AtomicInteger hangs = new AtomicInteger();
  private final AtomicInteger ordinals = new AtomicInteger();

  /** Devices that say what they like of their memory. */
  private final class LyingProvider implements DeviceProvider {
    @Override
    public String scheme() {
      return "lying";
    }

    @Override
    public Discovery discover(List<String> terms) {
      return Discovery.of(this, List.of());
    }

    @Override
    public DeviceContext open(Device device) {
      contexts.incrementAndGet();
      Random random = new Random(device.ordinal());
      return new DeviceContext() {
        @Override
        public synchronized Optional<Sample> sample() {
          return switch (random.nextInt(20)) {
            case 0 -> Optional.of(new Sample(Long.MAX_VALUE, Integer.MAX_VALUE));
            case 1 -> throw new IllegalStateException("no answer");
            default -> Optional.of(new Sample(device.memoryBytes(), 0));
          };
        }

        @Override
        public void close() {
          contexts.decrementAndGet();
        }
      };
    }
  }

  private final LyingProvider provider = new LyingProvider();

  private Device device(Random random) {
    return Device.of(DeviceKind.SIMULATED, ordinals.getAndIncrement())
        .withCapacity(
            Resources.oneSlot()
                .withSlots(1 + random.nextInt(3))
                .withMemory(1000)
                .with("encoder", 1 + random.nextInt(2)));
  }

  private static Ticker hasty() {
    long origin = System.nanoTime();
    return () -> (System.nanoTime() - origin) * HASTE;
  }

  @Test
  void nothingGrowsAndNothingIsLeft() throws Exception {
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, expected) -> {});
    try {
      soak(new Random(42));
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
    // A context is left alone for ever if work in it was given up as hung, and else closed.
    assertThat(contexts.get()).as("contexts left open").isBetween(0, hangs.get());
    assertThat(ended.get()).as("ends of %d tasks", submitted.get()).isEqualTo(submitted.get());
  }

  private void soak(Random random) throws Exception {
    AtomicInteger heard = new AtomicInteger();
    PoolOptions options =
        PoolOptions.usual()
            .withTicker(hasty())
            .withHostLimits(Map.of("session", 3L))
            .withListener(event -> {
              if (heard.incrementAndGet() % 1000 == 0) {
                throw new IllegalStateException("a listener that throws");
              }
            })
            .withTiming(
                Timing.usual()
                    .withPoll(Duration.ofMillis(4))
                    .withAgeing(Duration.ofMillis(5))
                    .withWatchdog(Duration.ofMillis(500)));
    List<Device> devices = IntStream.range(0, 4).mapToObj(any -> device(random)).toList();
    try (DevicePool pool = DevicePool.open(Discovery.of(provider, devices), options);
        Dispatcher dispatcher = Dispatcher.on(pool, 300)) {
      long length = LENGTH.dividedBy(HASTE).toNanos();
      run(pool, dispatcher, random, length / 4);
      long early = usedBytes();
      run(pool, dispatcher, random, length - length / 4);
      assertThat(usedBytes() - early).as("growth in bytes").isLessThan(GROWTH_BYTES);
      assertThat(pool.snapshot().totals().outstanding()).isZero();
      assertThat(pool.snapshot().waiting()).isZero();
      if (pool.size() > 0) {
        // All that the host shares is free again.
        pool.lease(Demand.any().with("session", 3), TestingPools.LONG).succeed();
      }
    }
  }

  private void run(DevicePool pool, Dispatcher dispatcher, Random random, long nanos)
      throws Exception {
    long begun = System.nanoTime();
    List<Task<Integer>> recent = new ArrayList<>();
    while (System.nanoTime() - begun < nanos) {
      try {
        Task<Integer> task =
            dispatcher.submit(demand(random), work(random.nextInt(200)), terms(random));
        submitted.incrementAndGet();
        task.onEnd(outcome -> ended.incrementAndGet());
        recent.add(task);
      } catch (PoolException.Rejected noDeviceForIt) {
        // Those that could have taken it have gone.
      }
      if (recent.size() == 64) {
        recent.get(random.nextInt(64)).cancel();
        recent.clear();
        meddle(pool, random);
      }
    }
    recent.clear();
  }

  private void meddle(DevicePool pool, Random random) throws Exception {
    List<Device> all = pool.devices();
    switch (random.nextInt(4)) {
      case 0 -> {
        if (all.size() < MOST_DEVICES) {
          pool.add(new Discovery.Found(device(random), provider));
        }
      }
      case 1 -> {
        if (all.size() > 3) {
          try {
            pool.remove(all.get(random.nextInt(all.size())).id(), Duration.ofMillis(1));
          } catch (PoolException.UnknownDevice goneMeanwhile) {
            // It was lost in between.
          }
        }
      }
      case 2 -> pool.use(Policies.all().get(random.nextInt(Policies.all().size())));
      default -> pool.snapshot();
    }
    while (pool.size() < 3) {
      pool.add(new Discovery.Found(device(random), provider));
    }
  }

  private static Demand demand(Random random) {
    Demand demand =
        Demand.of("kind" + random.nextInt(3), 1 + random.nextInt(5))
            .withPriority(Priority.values()[random.nextInt(3)]);
    return switch (random.nextInt(6)) {
      case 0 -> demand.withMemory(random.nextInt(1001));
      case 1 -> demand.with("encoder", 1);
      case 2 -> demand.with("session", 1 + random.nextInt(3));
      case 3 -> demand.withAffinity("key" + random.nextInt(4));
      default -> Demand.any();
    };
  }

  private static RetryOptions terms(Random random) {
    RetryOptions terms = RetryOptions.once().withTries(1 + random.nextInt(3));
    return random.nextInt(10) == 0
        ? terms.withDeadline(Duration.ofMillis(1 + random.nextInt(20)))
        : terms;
  }

  private DeviceWork<Integer, RuntimeException> work(int fate) {
    return slot -> {
      switch (fate) {
        case 0 -> throw new DeviceException(Fault.DEVICE, "a device fault");
        case 1 -> throw new DeviceException(Fault.CONTEXT, "a poisoned context");
        case 2 -> {
          if (slot.device().ordinal() % 4 == 1) {
            throw new DeviceException(Fault.LOST, "gone");
          }
        }
        case 3 -> {
          hangs.incrementAndGet();
          LockSupport.parkNanos(8_000_000); // longer than the watchdog allows
        }
        case 4 -> throw new IllegalStateException("wrong work");
        default -> {
          if (fate > 190) {
            long begun = System.nanoTime();
            LockSupport.parkNanos(200_000);
            if (System.nanoTime() - begun > MAY_HANG_NANOS) {
              hangs.incrementAndGet(); // its thread was off the processor for so long
            }
          }
        }
      }
      return fate;
    };
  }

  /** What is in use once all tasks have ended and what they held has been collected. */
  private long usedBytes() {
    Eventually.until("all tasks have ended", () -> ended.get() == submitted.get());
    long least = Long.MAX_VALUE;
    for (int time = 0; time < 4; time++) {
      System.gc();
      LockSupport.parkNanos(20_000_000);
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }
}
