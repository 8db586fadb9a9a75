package dev.fairlead.units;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fairlead.device.Device;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.ManualTicker;
import dev.fairlead.pool.NoThreadLeft;
import dev.fairlead.pool.TestingBackend;
import dev.fairlead.pool.TestingPools;
import dev.fairlead.stats.CostModel;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoThreadLeft.class)
class TimedResultTest {
  private static final int UNITS = 10;

  /** Half of a unit, for which the device worked a tenth of the time. */
  private record Share() implements TimedResult {
    @Override
    public double workedShare() {
      return 0.1;
    }

    @Override
    public double sizeShare() {
      return 0.5;
    }
  }

  @Test
  void costsAreLearnedFromTheTimeInWhichTheDeviceWorked() throws Exception {
    ManualTicker ticker = new ManualTicker();
    CostModel costs = new CostModel();
    Device device = TestingBackend.device(0);
    try (DevicePool pool =
            DevicePool.of(List.of(device), TestingPools.options(ticker).withCosts(costs));
        Party queue =
            UnitQueue.single(pool, ServicePolicies.anyRung(), 1, ServiceOptions.usual())) {
      for (int order = 0; order < UNITS; order++) {
        UnitTask<Share> unit =
            queue.offer(
                0,
                order,
                Demand.of("encode", 2),
                (slot, cancelled) -> {
                  ticker.advance(Duration.ofSeconds(10));
                  return new Share();
                });
        assertThat(unit.await(TestingPools.LONG)).isPresent();
      }
    }
    assertThat(costs.seconds(device.id(), "encode", 1)).isCloseTo(1, within(1e-6));
  }
}
