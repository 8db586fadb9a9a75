package dev.fairlead.units;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.policy.Tenant;
import dev.fairlead.policy.Turn;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.Eventually;
import dev.fairlead.pool.ManualTicker;
import dev.fairlead.pool.NoThreadLeft;
import dev.fairlead.pool.TestingBackend;
import dev.fairlead.pool.TestingPools;
import dev.fairlead.stats.CostModel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Why a device was given a unit. */
@ExtendWith(NoThreadLeft.class)
@Timeout(60)
class AssignmentTest {
  private static final Demand ENCODE = Demand.of("encode", 1);

  private final List<Device> devices = TestingBackend.devices(5);
  private final List<UnitListener.Event> events = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch barrier = new CountDownLatch(1);

  private DevicePool pool(CostModel costs) {
    return DevicePool.of(devices, TestingPools.still(new ManualTicker()).withCosts(costs));
  }

  private static CostModel measured(Device device, double seconds) {
    CostModel costs = new CostModel();
    for (int sample = 0; sample < 3; sample++) {
      costs.record(device.id(), "encode", 1, seconds);
    }
    return costs;
  }

  private Party join(UnitQueue queue, String tenant) {
    return queue.join(
        PartyOptions.of("job", 1)
            .withTenant(Tenant.of(tenant))
            .withService(ServiceOptions.usual().withListener(events::add)));
  }

  /** Runs a unit until the barrier opens; why it was given to its device. */
  private Assignment run(Party party, long order, Demand demand) {
    party.offer(
        0,
        order,
        demand,
        (slot, cancelled) -> {
          Eventually.open(barrier);
          return 0;
        });
    Eventually.until("it runs", () -> started(order).isPresent());
    return started(order).orElseThrow();
  }

  private Optional<Assignment> started(long order) {
    return List.copyOf(events).stream()
        .filter(UnitListener.Event.Started.class::isInstance)
        .map(UnitListener.Event.Started.class::cast)
        .filter(event -> event.unit().order() == order)
        .map(UnitListener.Event.Started::why)
        .findFirst();
  }

  private static Map<Device, Assignment.Standing> standings(Assignment why) {
    return why.candidates().stream()
        .collect(Collectors.toMap(Assignment.Candidate::device, Assignment.Candidate::standing));
  }

  @Test
  void itSaysHowEachDeviceStood() {
    Device busy = devices.get(0);
    Device away = devices.get(1);
    Device unfit = devices.get(2);
    Device taker = devices.get(3);
    Device free = devices.get(4);
    try (DevicePool pool = pool(measured(busy, 8))) {
      pool.pause(away.id()); // before the queue looks
      standsAsExpected(pool, busy, away, unfit, taker, free);
    }
  }

  private void standsAsExpected(
      DevicePool pool, Device busy, Device away, Device unfit, Device taker, Device free) {
    try (UnitQueue queue = UnitQueue.open(pool, ServicePolicies.fair(ServicePolicies.anyRung()))) {
      Party party = join(queue, "films");
      run(party, 0, ENCODE.onlyOn(busy.id()));
      Assignment why = run(party, 1, ENCODE.onlyOn(taker.id(), free.id()));
      boolean first = standings(why).get(taker) == Assignment.Standing.TAKES;
      assertThat(standings(why))
          .containsEntry(busy, Assignment.Standing.UNFIT)
          .containsEntry(away, Assignment.Standing.AWAY)
          .containsEntry(unfit, Assignment.Standing.UNFIT)
          .containsEntry(first ? taker : free, Assignment.Standing.TAKES)
          .containsEntry(first ? free : taker, Assignment.Standing.FREE);
      assertThat(why.asClone()).isFalse();
      assertThat(why.turn().map(Turn::served).map(Turn.Asked::tenant)).contains("films");
      // One device was measured; the others are predicted by their weights from that.
      assertThat(why.candidates())
          .allSatisfy(each -> assertThat(each.seconds().orElseThrow()).isEqualTo(8))
          .allSatisfy(each -> assertThat(each.reason()).isNotBlank());

      Assignment next = run(party, 2, ENCODE.onlyOn(busy.id(), taker.id(), free.id()));
      assertThat(standings(next)).containsEntry(busy, Assignment.Standing.BUSY);
      assertThat(
              next.candidates().stream()
                  .filter(each -> each.device().equals(busy))
                  .map(Assignment.Candidate::reason))
          .containsExactly("is busy for 8.0 s more");
      barrier.countDown();
    }
  }

  @Test
  void withoutMeasurementsNothingIsPredictedAndWithoutSharesThereIsNoTurn() {
    try (DevicePool pool = pool(new CostModel());
        UnitQueue queue = UnitQueue.open(pool, ServicePolicies.anyRung())) {
      Assignment why = run(join(queue, "films"), 0, ENCODE);
      assertThat(why.turn()).isEmpty();
      assertThat(why.candidates())
          .hasSize(devices.size())
          .allSatisfy(each -> assertThat(each.seconds()).isEmpty());
      barrier.countDown();
    }
  }
}
