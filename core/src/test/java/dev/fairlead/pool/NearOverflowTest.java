package dev.fairlead.pool;

import static dev.fairlead.pool.TestingBackend.devices;
import static dev.fairlead.pool.TestingPools.still;
import static dev.fairlead.pool.TestingPools.withSlots;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.policy.Demand;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A caller whose stack is nearly full: what it does to itself, it does not do to others. */
@ExtendWith(NoThreadLeft.class)
class NearOverflowTest {
  private static final int ROUNDS = 600;
  private static final int LAST = 150;
  private static final int PADS = 37;
  private static final long STACK_BYTES = 256 * 1024;

  private final ManualTicker ticker = new ManualTicker();

  private DevicePool pool() {
    PoolOptions options = still(ticker);
    return DevicePool.of(
        withSlots(devices(4), 20),
        options.withTiming(options.timing().withGrace(Duration.ofMillis(100))));
  }

  /** How deep the stack was when it was full, and from where on the step is called. */
  private static final class Dive {
    private final DevicePool pool;
    private final Consumer<DevicePool> step;
    private int deepest;
    private int from;

    Dive(DevicePool pool, Consumer<DevicePool> step) {
      this.pool = pool;
      this.step = step;
    }

    /** Once more, with the step at each of the last depths. */
    void again(int round) {
      from = deepest - LAST;
      deepest = 0;
      pad(round % PADS, 1, 2);
    }

    /** Frames of another size, so that the stack ends elsewhere each time. */
    private long pad(int frames, long one, long two) {
      if (frames > 0) {
        return one + two + pad(frames - 1, two, one);
      }
      deeper(0);
      return one;
    }

    private void deeper(int depth) {
      deepest = depth;
      if (depth > from && from > 0) {
        step.accept(pool);
      }
      if (depth < Integer.MAX_VALUE) {
        deeper(depth + 1);
      }
    }
  }

  private void overflow(DevicePool pool, Consumer<DevicePool> step) throws Exception {
    AtomicInteger overflows = new AtomicInteger();
    Thread thread =
        new Thread(
            null,
            () -> {
              Dive dive = new Dive(pool, step);
              for (int round = 0; round < ROUNDS; round++) {
                try {
                  dive.again(round);
                } catch (StackOverflowError full) {
                  overflows.incrementAndGet();
                }
              }
            },
            "test helper",
            STACK_BYTES);
    thread.setDaemon(true);
    thread.start();
    Eventually.until("the overflows are over", () -> !thread.isAlive());
    assertThat(overflows).hasValue(ROUNDS);
  }

  private static void requireServes(DevicePool pool) throws Exception {
    var rest =
        Eventually.start(() -> {
          PoolSnapshot snapshot = pool.snapshot();
          Optional<Lease> lease = pool.tryLease(Demand.any());
          lease.ifPresent(Lease::succeed);
          pool.close();
          return snapshot.devices().size();
        });
    assertThat(rest.result()).isEqualTo(4);
  }

  @Test
  void leavesNoLockTakenWhileItLeases() throws Exception {
    DevicePool pool = pool();
    overflow(pool, each -> each.tryLease(Demand.any()).ifPresent(Lease::close));
    requireServes(pool);
  }

  @Test
  void leavesNoLockTakenWhileItLeasesWithResources() throws Exception {
    DevicePool pool = pool();
    Demand work = Demand.of("encode", 2).withAffinity("key");
    overflow(pool, each -> each.tryLease(work).ifPresent(Lease::close));
    requireServes(pool);
  }

  @Test
  void leavesNoLockTakenWhileItSubmits() throws Exception {
    DevicePool pool = pool();
    overflow(pool, each -> each.submit(Demand.any(), new Once()));
    requireServes(pool);
  }

  @Test
  void leavesNoLockTakenWhileItLooks() throws Exception {
    DevicePool pool = pool();
    overflow(pool, DevicePool::snapshot);
    requireServes(pool);
  }
}
