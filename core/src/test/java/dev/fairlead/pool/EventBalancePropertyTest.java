package dev.fairlead.pool;

import static dev.fairlead.pool.TestingPools.fault;
import static dev.fairlead.pool.TestingPools.options;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.Fault;
import dev.fairlead.event.PoolListener;
import dev.fairlead.event.PoolListener.Event;
import dev.fairlead.health.Health;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.lease.QueuedWork;
import dev.fairlead.lease.Ticket;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Policies;
import dev.fairlead.policy.Priority;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Random turmoil from several threads, as its listener hears of it: the gauge of each device is
 * never negative and ends at zero, a lease is placed before it ends, and health changes in order.
 */
@ExtendWith(NoThreadLeft.class)
class EventBalancePropertyTest {
  private static final int RUNS = Boolean.getBoolean("fairlead.full") ? 300 : 20;
  private static final int THREADS = 3;
  private static final int STEPS = 150;

  @Test
  void theEventsOfAllLeasesBalance() throws Exception {
    Long only = Long.getLong("fairlead.seed");
    for (int run = 0; run < RUNS; run++) {
      long seed = only == null ? 15_485_863L * run + 11 : only;
      List<Event> events = Collections.synchronizedList(new ArrayList<>());
      turmoil(seed, events::add);
      try {
        requireBalance(List.copyOf(events));
      } catch (AssertionError failure) {
        throw new AssertionError("failed with -Dfairlead.seed=" + seed, failure);
      }
    }
  }

  /** A job that ends as the dice say. */
  private record Diced(int dice) implements QueuedWork {
    @Override
    public void run(Lease lease) {
      finish(lease, dice);
    }

    @Override
    public void abandon(Throwable reason) {}

    @Override
    public String holder() {
      return "diced";
    }
  }

  private static void finish(Lease lease, int dice) {
    switch (dice % 40) {
      case 0 -> lease.fail(fault(Fault.DEVICE));
      case 1 -> lease.fail(fault(Fault.CONTEXT));
      case 2, 3 -> lease.fail(fault(Fault.WORK));
      case 4, 5 -> lease.giveBack();
      case 6 -> lease.close();
      default -> lease.succeedIfOpen();
    }
  }

  private static void turmoil(long seed, PoolListener listener) throws Exception {
    Random random = new Random(seed);
    ManualTicker ticker = new ManualTicker();
    TestingBackend backend = new TestingBackend();
    AtomicInteger ordinals = new AtomicInteger();
    List<Device> devices = new ArrayList<>();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      devices.add(device(ordinals));
    }
    try (DevicePool pool =
        DevicePool.open(
            backend.found(devices),
            options(ticker)
                .withSeed(seed)
                .withPolicy(Policies.all().get(random.nextInt(Policies.all().size())))
                .withHostLimits(Map.of("session", 2L))
                .withListener(listener))) {
      List<Eventually.Started<Boolean>> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Random own = new Random(random.nextLong());
        threads.add(
            Eventually.start(() -> {
              for (int step = 0; step < STEPS; step++) {
                step(pool, own, ticker, ordinals);
              }
              return true;
            }));
      }
      for (var thread : threads) {
        assertThat(thread.result()).isTrue();
      }
      Eventually.until(
          "what can run has run",
          () -> {
            ticker.advance(Duration.ofSeconds(10));
            return pool.snapshot().totals().outstanding() == 0;
          });
    }
  }

  private static Device device(AtomicInteger ordinals) {
    return TestingBackend.device(ordinals.getAndIncrement()).withSlots(2).withMemory(100);
  }

  private static void step(
      DevicePool pool, Random random, ManualTicker ticker, AtomicInteger ordinals)
      throws InterruptedException {
    int dice = random.nextInt(100);
    try {
      if (dice < 55) {
        Ticket ticket = pool.submit(demand(random), new Diced(random.nextInt(1_000)));
        if (random.nextInt(4) == 0) {
          pool.withdraw(ticket);
        }
      } else if (dice < 85) {
        Optional<Lease> lease = pool.tryLease(demand(random));
        lease.ifPresent(each -> finish(each, random.nextInt(1_000)));
      } else if (dice < 95) {
        ticker.advance(Duration.ofSeconds(1));
      } else if (dice < 98 || pool.size() < 2) {
        pool.add(device(ordinals));
      } else {
        pool.remove(pool.next().id(), Duration.ZERO);
      }
    } catch (PoolException.Rejected | PoolException.UnknownDevice | PoolException.NoDevices gone) {
      // The device left in between.
      assertThat(gone).isNotNull();
    }
  }

  private static Demand demand(Random random) {
    Demand demand = Demand.any().withPriority(Priority.values()[random.nextInt(3)]);
    return switch (random.nextInt(6)) {
      case 0 -> demand.withMemory(60);
      case 1 -> demand.withSlots(2);
      case 2 -> demand.with("session", 1);
      case 3 -> demand.withAffinity("key " + random.nextInt(5));
      default -> demand;
    };
  }

  private static void requireBalance(List<Event> events) {
    Map<DeviceId, Integer> gauges = new HashMap<>();
    Map<DeviceId, Health> health = new HashMap<>();
    Map<Long, DeviceId> placed = new HashMap<>();
    Map<Long, Boolean> ended = new HashMap<>();
    for (Event event : events) {
      switch (event) {
        case Event.Placed it -> {
          assertThat(placed.put(it.lease(), it.device().id())).as("%s", it).isNull();
          assertThat(ended).as("%s comes after its end", it).doesNotContainKey(it.lease());
          gauges.merge(it.device().id(), 1, Integer::sum);
        }
        case Event.Moved it -> {
          assertThat(placed.put(it.lease(), it.to().id())).as("%s", it).isEqualTo(it.from().id());
          gauges.merge(it.from().id(), -1, Integer::sum);
          gauges.merge(it.to().id(), 1, Integer::sum);
        }
        case Event.Withdrawn it -> {
          assertThat(placed.remove(it.lease())).as("%s", it).isEqualTo(it.device().id());
          gauges.merge(it.device().id(), -1, Integer::sum);
        }
        case Event.Ended it -> {
          assertThat(placed.remove(it.lease())).as("%s", it).isEqualTo(it.device().id());
          assertThat(ended.put(it.lease(), true)).as("%s ends twice", it).isNull();
          gauges.merge(it.device().id(), -1, Integer::sum);
        }
        case Event.HealthChanged it -> {
          Health before = health.put(it.device().id(), it.to());
          assertThat(it.from()).as("%s", it).isEqualTo(before == null ? Health.READY : before);
          assertThat(it.to()).as("%s", it).isNotEqualTo(it.from());
        }
        case Event.Added it -> assertThat(gauges).doesNotContainKey(it.device().id());
        case Event.Removed it ->
            assertThat(gauges.getOrDefault(it.device().id(), 0)).as("%s", it).isZero();
        case Event.Missed it -> throw new AssertionError("The listener was too slow: " + it);
        case Event.Rebuilt _,
            Event.Overdue _,
            Event.Trouble _,
            Event.Paused _,
            Event.Resumed _,
            Event.Leaving _,
            Event.Freed _,
            Event.Closing _ -> {}
      }
      assertThat(gauges.values()).as("after %s", event).allMatch(gauge -> gauge >= 0);
    }
    assertThat(placed).as("leases that neither ended nor were withdrawn").isEmpty();
    assertThat(gauges.values()).allMatch(gauge -> gauge == 0);
  }
}
