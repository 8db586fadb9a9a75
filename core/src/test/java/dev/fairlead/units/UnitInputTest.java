package dev.fairlead.units;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.Eventually;
import dev.fairlead.pool.NoThreadLeft;
import dev.fairlead.pool.TestingBackend;
import dev.fairlead.pool.TestingPools;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Units whose input is on one device. */
@ExtendWith(NoThreadLeft.class)
class UnitInputTest {
  /** On one device; it takes five seconds to bring it to another. */
  private static final class Near implements UnitInput {
    private final Device home;
    private final Set<Device> taken = ConcurrentHashMap.newKeySet();

    Near(Device home) {
      this.home = home;
    }

    @Override
    public double secondsTo(Device device) {
      return device.equals(home) || taken.contains(device) ? 0 : 5;
    }

    @Override
    public void takenBy(Device device) {
      taken.add(device);
    }
  }

  @Test
  void aUnitRunsWhereItsInputIsThoughAnotherDeviceIsFreeBefore() throws Exception {
    Map<String, Device> ranOn = new ConcurrentHashMap<>();
    CountDownLatch oneIsFree = new CountDownLatch(1);
    CountDownLatch otherIsFree = new CountDownLatch(1);
    try (DevicePool pool = DevicePool.of(TestingBackend.devices(2), TestingPools.options());
        Party service = UnitQueue.single(pool, ServicePolicies.anyRung(), 1)) {
      Device one = pool.devices().getFirst();
      Device other = pool.devices().getLast();
      for (int blocker = 0; blocker < 2; blocker++) {
        int number = blocker;
        service.offer(
            0,
            0,
            Demand.any(),
            (slot, cancelled) -> {
              ranOn.put("blocker " + number, slot.device());
              Eventually.open(slot.device().equals(one) ? oneIsFree : otherIsFree);
              return 0;
            });
      }
      Eventually.until("both are busy", () -> ranOn.size() == 2);
      Near older = new Near(other);
      Near younger = new Near(one);
      UnitTask<Integer> first =
          service.offer(
              0, 1, Demand.any(), older, (slot, _) -> note(ranOn, "older", slot.device()));
      UnitTask<Integer> second =
          service.offer(
              0, 2, Demand.any(), younger, (slot, _) -> note(ranOn, "younger", slot.device()));
      Eventually.until("both wait", () -> service.report().groups().getFirst().waiting() == 2);

      oneIsFree.countDown();
      assertThat(second.await(TestingPools.LONG)).isPresent();
      otherIsFree.countDown();
      assertThat(first.await(TestingPools.LONG)).isPresent();

      assertThat(ranOn).containsEntry("younger", one).containsEntry("older", other);
      assertThat(older.taken).containsExactly(other);
      assertThat(younger.taken).containsExactly(one);
    }
  }

  private static int note(Map<String, Device> ranOn, String unit, Device device) {
    ranOn.put(unit, device);
    return 0;
  }
}
