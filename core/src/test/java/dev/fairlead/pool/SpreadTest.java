package dev.fairlead.pool;

import static dev.fairlead.pool.TestingBackend.devices;
import static dev.fairlead.pool.TestingPools.LONG;
import static dev.fairlead.pool.TestingPools.options;
import static dev.fairlead.pool.TestingPools.requireAtRest;
import static dev.fairlead.pool.TestingPools.withSlots;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.DeviceId;
import dev.fairlead.lease.Lease;
import dev.fairlead.policy.Candidates;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.PlacementPolicy;
import dev.fairlead.policy.Policies;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nobody is sent to a busy device while another one is idle, however many come at once. */
@ExtendWith(NoThreadLeft.class)
class SpreadTest {
  private static final int ROUNDS = 30;

  /** No time passes: on a busy machine a poll that takes long would make its device suspect. */
  private static PoolOptions timeless() {
    return options(new ManualTicker());
  }

  @ParameterizedTest
  @ValueSource(strings = {"least-loaded", "round-robin", "weighted", "adaptive"})
  void threadsThatChoseTheSameIdleDeviceEndUpOnDifferentOnes(String name) throws Exception {
    int count = 4;
    PlacementPolicy policy = new InStep(Policies.named(name), count);
    for (int round = 0; round < ROUNDS; round++) {
      try (DevicePool pool =
          DevicePool.of(withSlots(devices(count), 8), timeless().withPolicy(policy))) {
        assertThat(devicesTakenAtOnce(pool, count)).hasSize(count);
      }
    }
  }

  /** A policy whose first answers to so many threads are all given before any is acted upon. */
  private static final class InStep implements PlacementPolicy {
    private final PlacementPolicy policy;
    private final CyclicBarrier allHaveChosen;
    private final ThreadLocal<Boolean> hasChosen = ThreadLocal.withInitial(() -> false);

    InStep(PlacementPolicy policy, int threads) {
      this.policy = policy;
      this.allHaveChosen = new CyclicBarrier(threads);
    }

    @Override
    public String name() {
      return policy.name() + ", in step";
    }

    @Override
    public Memory memory() {
      return policy.memory();
    }

    @Override
    public long place(Candidates candidates) {
      long choice = policy.place(candidates);
      if (!hasChosen.get()) {
        hasChosen.set(true);
        try {
          allHaveChosen.await(30, TimeUnit.SECONDS);
        } catch (Exception failure) {
          throw new IllegalStateException(failure);
        }
      }
      return choice;
    }
  }

  @Test
  void threadsThatComeAtOnceSpreadOverIdleDevices() throws Exception {
    int count = 32;
    for (int round = 0; round < 200; round++) {
      try (DevicePool pool = DevicePool.of(withSlots(devices(count), 8), timeless())) {
        assertThat(devicesTakenAtOnce(pool, count)).hasSize(count);
      }
    }
  }

  private Set<DeviceId> devicesTakenAtOnce(DevicePool pool, int threads) throws Exception {
    CountDownLatch start = new CountDownLatch(1);
    List<Eventually.Started<Lease>> started = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      started.add(
          Eventually.start(() -> {
            Eventually.open(start);
            return pool.lease(Demand.any(), LONG);
          }));
    }
    start.countDown();
    Set<DeviceId> taken = new HashSet<>();
    for (var each : started) {
      taken.add(each.result().device().id());
    }
    for (var each : started) {
      each.result().succeed();
    }
    requireAtRest(pool);
    return taken;
  }
}
