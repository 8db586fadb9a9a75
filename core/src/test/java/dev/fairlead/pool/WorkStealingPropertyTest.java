package dev.fairlead.pool;

import static dev.fairlead.pool.TestingPools.requireAtRest;
import static dev.fairlead.pool.TestingPools.still;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Vendor;
import dev.fairlead.event.PoolListener;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.lease.QueuedWork;
import dev.fairlead.lease.Ticket;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.PlacementPolicy;
import dev.fairlead.policy.Policies;
import dev.fairlead.policy.Priority;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Random fleets under random demands, jobs that run until they are let go, that are cancelled, and
 * devices that come and go: whenever all is quiet, no device idles while a job that it may run
 * waits in a queue, and every job ends once.
 */
@ExtendWith(NoThreadLeft.class)
class WorkStealingPropertyTest {
  private static final int RUNS = Boolean.getBoolean("fairlead.full") ? 1_000 : 60;
  private static final int STEPS = 60;
  private static final int MOST_IN_FLIGHT = 24;
  private static final List<PlacementPolicy> TAKING =
      List.of(Policies.roundRobin(), Policies.leastLoaded(), Policies.weighted());

  /** A job of the test, and where the pool has put it. */
  private static final class Item implements QueuedWork {
    private final Demand demand;
    private final int number;
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final AtomicInteger ends = new AtomicInteger();
    private @Nullable Ticket ticket;
    private volatile @Nullable Device at;
    private volatile boolean started;
    private volatile boolean over;

    Item(int number, Demand demand) {
      this.number = number;
      this.demand = demand;
    }

    @Override
    public void run(Lease lease) {
      started = true;
      ends.incrementAndGet();
      stay();
      lease.succeed();
      over = true;
    }

    /** Longer than anybody waits for anything here. */
    private void stay() {
      try {
        boolean _ = goOn.await(TestingPools.LONG.toSeconds(), TimeUnit.SECONDS);
      } catch (InterruptedException closing) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void abandon(Throwable reason) {
      assertThat(reason).isInstanceOf(PoolException.class);
      ends.incrementAndGet();
      over = true;
    }

    @Override
    public String holder() {
      return "job " + number;
    }

    @Override
    public String toString() {
      return holder()
          + (started ? " runs on " : isQueued() ? " is queued on " : " waits ")
          + at
          + " for "
          + demand;
    }

    boolean isQueued() {
      return !started && !over && at != null;
    }

    boolean isWaiting() {
      return !started && !over && at == null;
    }

    int slots() {
      return demand.resources().slots();
    }
  }

  /** Follows by events where the jobs are; a demand belongs to one job. */
  private static final class Whereabouts implements PoolListener {
    private final IdentityHashMap<Demand, Item> items = new IdentityHashMap<>();

    synchronized void expect(Item item) {
      items.put(item.demand, item);
    }

    private synchronized void put(Demand demand, @Nullable Device device) {
      Item item = items.get(demand);
      if (item != null) {
        item.at = device;
      }
    }

    @Override
    public void on(Event event) {
      if (event instanceof Event.Placed placed) {
        put(placed.demand(), placed.device());
      } else if (event instanceof Event.Moved moved) {
        put(moved.demand(), moved.to());
      } else if (event instanceof Event.Withdrawn withdrawn) {
        put(withdrawn.demand(), null);
      }
    }
  }

  private final ManualTicker ticker = new ManualTicker();

  @Test
  void noDeviceIdlesWhileAJobThatItMayRunWaits() throws Exception {
    Long only = Long.getLong("fairlead.seed");
    for (int run = 0; run < RUNS; run++) {
      long seed = only == null ? 104_729L * run + 7 : only;
      try {
        new Round(seed, TAKING.get((int) (seed % TAKING.size())), true).play();
      } catch (AssertionError | RuntimeException failure) {
        throw new AssertionError("failed with -Dfairlead.seed=" + seed, failure);
      }
    }
  }

  @Test
  void aPolicyWithoutTakingMovesNothing() throws Exception {
    for (int run = 0; run < RUNS / 3; run++) {
      PlacementPolicy policy = Policies.all().get(run % Policies.all().size());
      new Round(7_727L * run + 3, policy.withoutTaking(), false).play();
    }
  }

  private final class Round {
    private final Random random;
    private final TestingListener listener = new TestingListener();
    private final Whereabouts whereabouts = new Whereabouts();
    private final List<Item> items = new ArrayList<>();
    private final DevicePool pool;
    private final boolean takes;
    private int ordinals;

    Round(long seed, PlacementPolicy policy, boolean takes) {
      this.random = new Random(seed);
      this.takes = takes;
      List<Device> devices = new ArrayList<>();
      for (int i = 1 + random.nextInt(5); i > 0; i--) {
        devices.add(device());
      }
      // A second one from the start on: what is queued while there is one is another test.
      devices.add(device());
      this.pool =
          DevicePool.of(
              devices,
              still(ticker)
                  .withPolicy(policy)
                  .withSeed(seed)
                  .withListener(event -> {
                    whereabouts.on(event);
                    listener.on(event);
                  }));
    }

    private Device device() {
      int ordinal = ordinals++;
      return Device.of(DeviceKind.SIMULATED, ordinal)
          .withIdentity(
              DeviceId.of("device-" + ordinal),
              "device " + ordinal,
              random.nextBoolean() ? Vendor.NVIDIA : Vendor.AMD)
          .withSlots(1 + random.nextInt(3))
          .withMemory(100);
    }

    void play() throws Exception {
      try (pool) {
        for (int step = 0; step < STEPS; step++) {
          int dice = random.nextInt(100);
          if (dice < 50) {
            submit();
          } else if (dice < 80) {
            letOneGo();
          } else if (dice < 90) {
            cancelOne();
          } else if (dice < 95) {
            pool.add(device());
          } else if (pool.devices().stream().filter(this::serves).count() > 2) {
            pool.remove(any(pool.devices()).id(), Duration.ZERO);
          }
          if (takes) {
            requireNoneIdles();
          }
        }
        items.forEach(item -> item.goOn.countDown());
        Eventually.until("all jobs end", () -> items.stream().allMatch(item -> item.over));
        requireAtRest(pool);
        if (!takes) {
          assertThat(listener.heard(pool, PoolListener.Event.Moved.class)).isEmpty();
        }
      } finally {
        items.forEach(item -> item.goOn.countDown());
      }
      assertThat(items).allSatisfy(item -> assertThat(item.ends).as(item.holder()).hasValue(1));
    }

    private <T> T any(List<T> all) {
      return all.get(random.nextInt(all.size()));
    }

    private void submit() {
      if (items.stream().filter(item -> !item.over).count() >= MOST_IN_FLIGHT) {
        return;
      }
      Item item = new Item(items.size(), demand());
      whereabouts.expect(item);
      try {
        item.ticket = pool.submit(item.demand, item);
        items.add(item);
      } catch (PoolException.Rejected nowhere) {
        assertThat(item.ends).hasValue(0);
      }
    }

    /** Another object each time, so that it tells which job it is. */
    private Demand demand() {
      Demand demand = Demand.any().withPriority(any(List.of(Priority.values())));
      int dice = random.nextInt(100);
      if (dice < 15) {
        return demand.onlyOn(any(pool.devices()).id());
      } else if (dice < 25) {
        return demand.ofVendor(random.nextBoolean() ? Vendor.NVIDIA : Vendor.AMD);
      } else if (dice < 35) {
        return demand.withMemory(20 + random.nextInt(60));
      } else if (dice < 45) {
        return demand.withAffinity("key " + random.nextInt(4));
      } else if (dice < 55) {
        return demand.withSlots(2);
      }
      return demand;
    }

    private void letOneGo() {
      List<Item> running = items.stream().filter(item -> item.started && !item.over).toList();
      if (!running.isEmpty()) {
        Item item = any(running);
        item.goOn.countDown();
        Eventually.until(item.holder() + " ends", () -> item.over);
      }
    }

    private void cancelOne() {
      List<Item> open = items.stream().filter(item -> !item.started && !item.over).toList();
      if (!open.isEmpty()) {
        Item item = any(open);
        if (item.ticket != null && pool.withdraw(item.ticket)) {
          item.ends.incrementAndGet();
          item.over = true;
        }
      }
    }

    private void requireNoneIdles() {
      Eventually.until(
          "no device idles while a job that it may run waits: " + idles(), () -> idles().isEmpty());
    }

    /** What is wrong just now; empty if nothing is. */
    private String idles() {
      if (!pool.core().events().settle(TestingPools.LONG)) {
        throw new AssertionError("The pool still has something to tell");
      }
      PoolSnapshot snapshot = pool.snapshot();
      for (PoolSnapshot.Entry entry : snapshot.devices()) {
        String wrong = idles(entry);
        if (!wrong.isEmpty()) {
          return wrong + " among " + items.stream().filter(item -> !item.over).toList();
        }
      }
      return "";
    }

    private String idles(PoolSnapshot.Entry entry) {
      Device device = entry.device();
      int free = device.slots();
      for (Item item : items) {
        if (item.started && !item.over && device.equals(item.at)) {
          free -= item.slots();
        }
      }
      int slots = free;
      boolean awaited = items.stream().anyMatch(item -> item.isWaiting() && couldRun(item, device));
      if (slots <= 0 || awaited || !serves(device)) {
        return "";
      }
      List<Item> own =
          items.stream().filter(item -> item.isQueued() && device.equals(item.at)).toList();
      if (!own.isEmpty()) {
        Item head =
            own.stream()
                .min(
                    Comparator.<Item>comparingInt(item -> -item.demand.priority().ordinal())
                        .thenComparingInt(item -> item.number))
                .orElseThrow();
        return head.slots() <= slots ? device + " does not start its own " + head.holder() : "";
      }
      return items.stream()
          .filter(Item::isQueued)
          .filter(item ->
              couldRun(item, device)
                  && item.demand.affinity() == null
                  && item.slots() <= slots
                  && item.demand.resources().memoryBytes() <= entry.load().freeBytes())
          .findFirst()
          .map(item -> device + " leaves " + item.holder() + " on " + item.at + ": " + entry)
          .orElse("");
    }

    private boolean serves(Device device) {
      return pool.devices().contains(device) && pool.serves(device.id());
    }

    private static boolean couldRun(Item item, Device device) {
      return item.demand.eligibility().objection(device).isEmpty()
          && item.slots() <= device.slots();
    }
  }
}
