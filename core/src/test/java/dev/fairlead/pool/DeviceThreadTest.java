package dev.fairlead.pool;

import static dev.fairlead.pool.TestingBackend.device;
import static dev.fairlead.pool.TestingPools.still;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.policy.Demand;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoThreadLeft.class)
class DeviceThreadTest {
  private static boolean isParked() {
    return Eventually.liveThreads().stream()
        .filter(thread -> thread.getName().endsWith(" thread 0"))
        .anyMatch(thread -> thread.getState() == Thread.State.WAITING);
  }

  @Test
  void aThreadThatHasParkedRunsWhatComesNext() throws Exception {
    try (DevicePool pool = DevicePool.of(List.of(device(0)), still(new ManualTicker()))) {
      for (int round = 0; round < 3; round++) {
        TestingJob job = TestingJob.quick("job " + round);
        pool.submit(Demand.any(), job);
        job.awaitEnd();
        Eventually.until("the device's thread has nothing to do", DeviceThreadTest::isParked);
      }
      var result = Eventually.start(() -> pool.run(Demand.any(), slot -> slot.number()));
      assertThat(result.result()).isZero();
    }
  }
}
