package dev.fairlead.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.lease.Lease;
import dev.fairlead.policy.Demand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoThreadLeft.class)
class LeasesStressTest {
  private static final int STEPS = 2_000_000;

  /** A frozen device is found by its stacks, at the end of it; a busy machine needs much of it. */
  private static final Duration LONG = Duration.ofMinutes(4);

  private static final int ROUNDS = Boolean.getBoolean("fairlead.full") ? 10 : 1;

  /** Every lease that is given out is one that the books know of, whoever ends it. */
  @Test
  void threadsThatTakeEndAndCountNeverFindAFrozenDevice() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      takeEndAndCount(round);
    }
  }

  private static void takeEndAndCount(int round) throws Exception {
    try (DevicePool pool =
        DevicePool.of(List.of(TestingBackend.device(0).withSlots(2)), TestingPools.options())) {
      Queue<Lease> held = new ConcurrentLinkedQueue<>();
      List<Eventually.Started<Integer>> threads = new ArrayList<>();
      for (int seed = 0; seed < 3; seed++) {
        Random random = new Random(3L * round + seed);
        threads.add(
            Eventually.start(() -> {
              for (int step = 0; step < STEPS; step++) {
                switch (random.nextInt(3)) {
                  case 0 -> pool.tryLease(Demand.any()).ifPresent(held::add);
                  case 1 -> {
                    Lease lease = held.poll();
                    if (lease != null) {
                      lease.succeed();
                    }
                  }
                  default -> assertThat(pool.snapshot().totals().outstanding()).isBetween(0L, 2L);
                }
              }
              return STEPS;
            }));
      }
      for (var thread : threads) {
        thread.result(LONG);
      }
      held.forEach(Lease::succeed);
      TestingPools.requireAtRest(pool);
    }
  }
}
