package dev.fairlead.pool;

import static dev.fairlead.pool.TestingPools.requireAtRest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.lease.Lease;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.PlacementPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Policies of one's own, written as the guide shows it: an obvious loop over what is available. */
@ExtendWith(NoThreadLeft.class)
class OwnPolicyTest {
  private static final int DEVICES = 4;
  private static final int ROUNDS = 8;

  private static final List<Device> FLEET =
      IntStream.range(0, DEVICES)
          .mapToObj(i -> TestingBackend.device(i).withMemory((long) (i + 1) << 30))
          .toList();

  private static final Map<DeviceId, Double> WATTS =
      Map.of(FLEET.get(0).id(), 300.0, FLEET.get(1).id(), 75.0, FLEET.get(2).id(), 150.0);

  private static PlacementPolicy mostFreeMemory() {
    return PlacementPolicy.of(
        "most-free-memory",
        candidates -> {
          int best = -1;
          long most = candidates.demand().resources().memoryBytes() - 1;
          for (int i = 0; i < candidates.size(); i++) {
            if (candidates.available(i) && candidates.load(i).freeBytes() > most) {
              best = i;
              most = candidates.load(i).freeBytes();
            }
          }
          return best;
        });
  }

  private static PlacementPolicy fewestWatts() {
    return PlacementPolicy.of(
        "fewest-watts",
        candidates -> {
          int best = -1;
          double least = Double.POSITIVE_INFINITY;
          for (int i = 0; i < candidates.size(); i++) {
            double watts = WATTS.getOrDefault(candidates.device(i).id(), 250.0);
            if (candidates.available(i) && watts < least) {
              best = i;
              least = watts;
            }
          }
          return best;
        });
  }

  static List<PlacementPolicy> policies() {
    return List.of(mostFreeMemory(), fewestWatts());
  }

  /** A job that goes on only when as many run as there are devices. */
  private static final class Together extends Once {
    private final CyclicBarrier all;
    private final Set<Device> where;

    private Together(CyclicBarrier all, Set<Device> where) {
      this.all = all;
      this.where = where;
    }

    @Override
    public void run(Lease lease) {
      where.add(lease.device());
      try {
        int _ = all.await(20, TimeUnit.SECONDS);
      } catch (Exception apart) {
        throw new IllegalStateException("The batch is not spread over all devices", apart);
      }
      super.run(lease);
    }
  }

  @ParameterizedTest
  @MethodSource("policies")
  void aBatchIsSpreadOverAllDevices(PlacementPolicy policy) {
    try (DevicePool pool = DevicePool.of(FLEET, TestingPools.options().withPolicy(policy))) {
      CyclicBarrier all = new CyclicBarrier(DEVICES);
      Set<Device> where = ConcurrentHashMap.newKeySet();
      List<Together> batch = new ArrayList<>();
      for (int i = 0; i < DEVICES * ROUNDS; i++) {
        Together job = new Together(all, where);
        batch.add(job);
        pool.submit(Demand.any(), job);
      }
      batch.forEach(job -> Eventually.open(job.ran));
      assertThat(where).containsExactlyInAnyOrderElementsOf(FLEET);
      requireAtRest(pool);
    }
  }

  @ParameterizedTest
  @MethodSource("policies")
  void aSingleLeaseGoesWhereThePolicySays(PlacementPolicy policy) {
    Device expected = policy.name().equals("fewest-watts") ? FLEET.get(1) : FLEET.get(3);
    try (DevicePool pool = DevicePool.of(FLEET, TestingPools.options().withPolicy(policy))) {
      Lease lease = pool.tryLease(Demand.any()).orElseThrow();
      assertThat(lease.device()).isEqualTo(expected);
      lease.succeed();
    }
  }
}
