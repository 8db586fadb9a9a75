package dev.fairlead.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.event.PoolListener;
import dev.fairlead.event.PoolListener.Event;
import dev.fairlead.lease.Lease;
import dev.fairlead.policy.Demand;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoThreadLeft.class)
class AddedEventTest {
  /** What a listener is told of a device that work comes to as soon as it can. */
  static final class Newcomer implements Callable<List<String>> {
    @Override
    public List<String> call() throws Exception {
      List<String> told = new CopyOnWriteArrayList<>();
      PoolListener listener =
          event -> {
            switch (event) {
              case Event.Added added -> told.add("added " + added.index());
              case Event.Placed placed -> told.add("placed " + placed.device().label());
              default -> {}
            }
          };
      try (DevicePool pool =
          DevicePool.of(
              List.of(TestingBackend.device(0)), TestingPools.options().withListener(listener))) {
        Lease first = pool.lease(Demand.any(), Duration.ofSeconds(20));
        Woven.seam().arm();
        var adding = Eventually.start(() -> pool.add(TestingBackend.device(1)));
        Woven.seam().awaitReached();
        var early = pool.tryLease(Demand.any());
        Woven.seam().letGo();
        adding.result();
        Lease second = early.orElseGet(() -> pool.tryLease(Demand.any()).orElseThrow());
        first.succeed();
        second.succeed();
      }
      return told;
    }
  }

  @Test
  void aDeviceIsToldOfBeforeTheWorkOnIt() throws Exception {
    Callable<List<String>> newcomer =
        Woven.<Callable<List<String>>>heldLater("Events", "tell", "queues", Newcomer.class);

    assertThat(newcomer.call())
        .containsExactly("added 0", "placed simulated:0", "added 1", "placed simulated:1");
  }
}
