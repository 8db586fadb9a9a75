package dev.fairlead.pool;

import static dev.fairlead.pool.TestingBackend.device;
import static dev.fairlead.pool.TestingPools.still;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Priority;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The order in which jobs leave the queue of the one device that may run them. */
@ExtendWith(NoThreadLeft.class)
class QueueOrderTest {
  private static final Duration HEAD_START = Duration.ofSeconds(10);

  private final ManualTicker ticker = new ManualTicker();
  private final Device device = device(0);
  private final List<String> starts = Collections.synchronizedList(new ArrayList<>());
  private final List<TestingJob> jobs = new ArrayList<>();

  private DevicePool pool() {
    PoolOptions options = still(ticker);
    return DevicePool.of(
        List.of(device), options.withTiming(options.timing().withAgeing(HEAD_START)));
  }

  private void queue(DevicePool pool, String name, Priority priority) {
    TestingJob job = TestingJob.quick(name).startingIn(starts);
    jobs.add(job);
    pool.submit(Demand.any().withPriority(priority), job);
    ticker.advance(Duration.ofMillis(1));
  }

  private List<String> started(TestingJob holder) {
    holder.letGo();
    jobs.forEach(TestingJob::awaitEnd);
    return starts;
  }

  @Test
  void higherPrioritiesGoFirstAndAmongEqualsTheOneThatCameFirst() throws Exception {
    try (DevicePool pool = pool()) {
      TestingJob holder = WorkStealingTest.hold(pool, device);
      queue(pool, "low 1", Priority.LOW);
      queue(pool, "normal 1", Priority.NORMAL);
      queue(pool, "high 1", Priority.HIGH);
      queue(pool, "low 2", Priority.LOW);
      queue(pool, "normal 2", Priority.NORMAL);
      queue(pool, "high 2", Priority.HIGH);
      assertThat(started(holder))
          .containsExactly("high 1", "high 2", "normal 1", "normal 2", "low 1", "low 2");
    }
  }

  @Test
  void aJobThatHasWaitedLongerThanTheHeadStartGoesFirst() throws Exception {
    try (DevicePool pool = pool()) {
      TestingJob holder = WorkStealingTest.hold(pool, device);
      queue(pool, "old and normal", Priority.NORMAL);
      ticker.advance(HEAD_START.dividedBy(2));
      queue(pool, "high in time", Priority.HIGH);
      ticker.advance(HEAD_START);
      queue(pool, "high too late", Priority.HIGH);
      assertThat(started(holder))
          .containsExactly("high in time", "old and normal", "high too late");
    }
  }
}
