package dev.fairlead.units;

import static dev.fairlead.pool.TestingPools.fault;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Fault;
import dev.fairlead.outcome.Outcome;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.FairShares;
import dev.fairlead.policy.Priority;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.policy.ServicePolicy;
import dev.fairlead.policy.Tenant;
import dev.fairlead.policy.Turn;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.Eventually;
import dev.fairlead.pool.ManualTicker;
import dev.fairlead.pool.NoThreadLeft;
import dev.fairlead.pool.TestingBackend;
import dev.fairlead.pool.TestingPools;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A unit queue that shares its devices between tenants. */
@ExtendWith(NoThreadLeft.class)
@Timeout(60)
class FairQueueTest {
  private static final ServicePolicy FAIR = ServicePolicies.fair(ServicePolicies.anyRung());

  private final List<String> ran = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch barrier = new CountDownLatch(1);
  private final ManualTicker ticker = new ManualTicker();

  private static PartyOptions party(String tenant, double weight) {
    return PartyOptions.of("job of " + tenant, 1).withTenant(new Tenant(tenant, weight));
  }

  private DevicePool pool(int devices) {
    return DevicePool.of(TestingBackend.devices(devices), TestingPools.still(ticker));
  }

  /** Occupies the only device, so that what is offered next waits. */
  private UnitTask<Integer> occupy(UnitQueue queue) {
    CountDownLatch running = new CountDownLatch(1);
    Party first = queue.join(party("first", 1));
    UnitTask<Integer> unit =
        first.offer(
            0,
            0,
            Demand.any(),
            (slot, cancelled) -> {
              running.countDown();
              Eventually.open(barrier);
              return 0;
            });
    Eventually.open(running);
    return unit;
  }

  /** Takes as long as it is told to. */
  private UnitTask<Integer> offer(Party party, long order, int seconds) {
    return party.offer(
        0,
        order,
        Demand.of("encode", 1),
        (slot, cancelled) -> {
          ran.add(party.options().tenant().name());
          ticker.advance(Duration.ofSeconds(seconds));
          return seconds;
        });
  }

  private static int waiting(Party party) {
    return party.report().groups().getFirst().waiting();
  }

  private long count(String tenant, int first) {
    return ran.stream().limit(first).filter(tenant::equals).count();
  }

  @Test
  void tenantsHaveDeviceTimeByWeightWhateverTheirUnitsTake() {
    try (DevicePool pool = pool(1);
        UnitQueue queue = UnitQueue.open(pool, FAIR)) {
      occupy(queue);
      Party heavy = queue.join(party("heavy", 3));
      Party light = queue.join(party("light", 1));
      for (int unit = 0; unit < 200; unit++) {
        offer(heavy, unit, 1);
        offer(light, unit, 2);
      }
      Eventually.until("all wait", () -> waiting(heavy) + waiting(light) == 400);
      barrier.countDown();
      Eventually.until("many ran", () -> ran.size() >= 140);
    }
    // Of seven units six are the heavy one's: six seconds to two.
    assertThat(count("heavy", 140)).isBetween(116L, 124L);
  }

  @Test
  void anUrgentJobOfATenantGoesFirstAndThePriorityCanChange() {
    try (DevicePool pool = pool(1);
        UnitQueue queue = UnitQueue.open(pool, FAIR)) {
      occupy(queue);
      Party old = queue.join(party("old", 1).withTenant(Tenant.of("tenant")));
      Party young = queue.join(party("young", 1).withTenant(Tenant.of("tenant")));
      List<Party> order = Collections.synchronizedList(new ArrayList<>());
      for (int unit = 0; unit < 2; unit++) {
        for (Party party : List.of(old, young)) {
          party.offer(0, unit, Demand.any(), (slot, cancelled) -> order.add(party));
        }
      }
      Eventually.until("all wait", () -> waiting(old) + waiting(young) == 4);
      young.priority(Priority.HIGH);
      Turn turn = queue.turn(pool.byIndex(0).id()).orElseThrow();
      assertThat(Objects.requireNonNull(turn.served()).priority()).isEqualTo(Priority.HIGH);
      barrier.countDown();
      queue.close();
      assertThat(order).containsExactly(young, young, old, old);
    }
  }

  @Test
  void aTryThatTheDeviceFailsCostsNothingAndOneThatTheWorkFailsDoes() throws Exception {
    try (DevicePool pool = pool(3);
        UnitQueue queue = UnitQueue.open(pool, FAIR);
        Party unlucky = queue.join(party("unlucky", 1));
        Party wrong = queue.join(party("wrong", 1))) {
      AtomicInteger tries = new AtomicInteger();
      UnitTask<Integer> failed =
          unlucky.offer(
              0,
              0,
              Demand.any(),
              (slot, cancelled) -> {
                ticker.advance(Duration.ofSeconds(7));
                if (tries.incrementAndGet() == 1) {
                  throw fault(Fault.DEVICE);
                }
                return 1;
              });
      assertThat(await(failed).isSuccess()).isTrue();
      UnitTask<Integer> bad =
          wrong.offer(
              0,
              0,
              Demand.any(),
              (slot, cancelled) -> {
                ticker.advance(Duration.ofSeconds(7));
                throw new IllegalStateException("wrong");
              });
      assertThat(await(bad).isSuccess()).isFalse();
      assertThat(charged(queue, "unlucky")).isEqualTo(7);
      assertThat(charged(queue, "wrong")).isEqualTo(21);
      assertThat(queue.shares().tenants())
          .allSatisfy(share -> assertThat(share.time()).isGreaterThanOrEqualTo(7));
    }
  }

  private static <R> Outcome<R> await(UnitTask<R> unit) throws InterruptedException {
    return unit.await(TestingPools.LONG).orElseThrow(() -> new AssertionError(unit + " hangs"));
  }

  private static double charged(UnitQueue queue, String tenant) {
    return queue.shares().tenants().stream()
        .filter(share -> share.tenant().name().equals(tenant))
        .findFirst()
        .orElseThrow()
        .chargedSeconds();
  }

  @Test
  void whatTenantsHadOutlivesTheQueue() throws Exception {
    FairShares saved;
    try (DevicePool pool = pool(1);
        UnitQueue queue = UnitQueue.open(pool, FAIR);
        Party had = queue.join(party("had", 1))) {
      assertThat(await(offer(had, 0, 100)).isSuccess()).isTrue();
      saved = queue.shares();
    }
    try (DevicePool pool = pool(1);
        UnitQueue queue = UnitQueue.open(pool, FAIR, saved)) {
      assertThat(queue.shares().tenants())
          .singleElement()
          .satisfies(share -> {
            assertThat(share.tenant().name()).isEqualTo("had");
            assertThat(share.time()).isEqualTo(100);
          });
      Party news = queue.join(party("new", 1));
      assertThat(await(offer(news, 0, 1)).isSuccess()).isTrue();
      assertThat(queue.shares().tenants()).allMatch(share -> share.time() >= 100);
    }
  }

  @Test
  void whatIsStillInTheMakingWaitsForWhatIsWhole() {
    try (DevicePool pool = pool(1);
        UnitQueue queue = UnitQueue.open(pool, FAIR)) {
      occupy(queue);
      Party making = queue.join(party("making", 100));
      Party whole = queue.join(party("whole", 1));
      making.whole(0, false);
      making.whole(1, false);
      offer(making, 0, 1);
      offer(making, 1, 1);
      offer(whole, 0, 1);
      offer(whole, 1, 1);
      Eventually.until("all wait", () -> waiting(making) + waiting(whole) == 4);
      making.whole(1, true);
      Turn turn = queue.turn(pool.byIndex(0).id()).orElseThrow();
      assertThat(Objects.requireNonNull(turn.served()).whole()).isTrue();
      barrier.countDown();
      queue.close();
      assertThat(ran).containsExactly("making", "whole", "whole", "making");
    }
  }

  @Test
  void aPolicyThatDoesNotShareHasNoTurns() {
    try (DevicePool pool = pool(1);
        UnitQueue queue = UnitQueue.open(pool, ServicePolicies.anyRung())) {
      assertThat(queue.turn(pool.byIndex(0).id())).isEmpty();
      queue.close();
      assertThat(queue.turn(pool.byIndex(0).id())).isEmpty();
    }
  }
}
