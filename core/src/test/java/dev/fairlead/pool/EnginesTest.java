package dev.fairlead.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Engine;
import dev.fairlead.lease.Lease;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Placement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pools of the engines of one card. */
class EnginesTest {
  @Test
  void whatIsEncodedTakesNoSlotFromWhatComputes() throws Exception {
    Device card = TestingBackend.device(0).withSlots(1).withUnits(Engine.ENCODE, 2);
    Discovery found = Discovery.of(new TestingBackend(), List.of(card));

    try (DevicePool computes = DevicePool.open(found);
        DevicePool encodes = DevicePool.open(found.on(Engine.ENCODE))) {
      List<Lease> encoding = new ArrayList<>();
      while (encodes.peek(Demand.any()) instanceof Placement.Place) {
        encoding.add(TestingPools.lease(encodes));
      }
      assertThat(encoding).hasSize(3);
      assertThat(computes.peek(Demand.any())).isInstanceOf(Placement.Place.class);
      encoding.forEach(Lease::close);
    }
  }
}
