package dev.fairlead.units;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.policy.Demand;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.TestingBackend;
import dev.fairlead.pool.TestingPools;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeviceRosterTest {
  private final Device stays = TestingBackend.device(0);
  private final Device visits = TestingBackend.device(1);

  /** Units that were judged while it was there have to be judged again. */
  @Test
  void aDeviceThatCameAndWentBetweenTwoLooksIsAChangeIfSomebodyCountedOnIt() throws Exception {
    try (DevicePool pool = DevicePool.of(List.of(stays), TestingPools.options())) {
      DeviceRoster roster = new DeviceRoster(pool);
      assertThat(roster.look()).isTrue();
      assertThat(roster.look()).isFalse();

      pool.add(visits);
      roster.numbers(pool.candidatesFor(Demand.any()));
      assertThat(pool.remove(visits.id(), TestingPools.LONG)).isTrue();

      assertThat(roster.look()).isTrue();
      assertThat(roster.look()).isFalse();
    }
  }
}
