package dev.fairlead.pool;

import static dev.fairlead.pool.TestingBackend.device;
import static dev.fairlead.pool.TestingBackend.devices;
import static dev.fairlead.pool.TestingPools.LONG;
import static dev.fairlead.pool.TestingPools.awaitWaiting;
import static dev.fairlead.pool.TestingPools.entry;
import static dev.fairlead.pool.TestingPools.lease;
import static dev.fairlead.pool.TestingPools.requireAtRest;
import static dev.fairlead.pool.TestingPools.still;
import static dev.fairlead.pool.TestingPools.withSlots;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Device;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.lease.Ticket;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Priority;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who gets a device that was waited for, and what is left of those who wait no longer. */
@ExtendWith(NoThreadLeft.class)
class WaitingTest {
  private static final Duration SHORT = Duration.ofMillis(10);
  private static final Duration HEAD_START = Timing.usual().ageing();

  private final ManualTicker ticker = new ManualTicker();
  private final List<String> served = new CopyOnWriteArrayList<>();
  private final List<Eventually.Started<Boolean>> waiters = new ArrayList<>();

  /** Starts a thread that waits, and ends its lease as soon as it has one. */
  private void comes(DevicePool pool, String name, Demand demand) {
    int before = pool.snapshot().waiting();
    waiters.add(
        Eventually.start(() -> {
          Lease lease = pool.lease(demand, LONG);
          served.add(name);
          lease.succeed();
          return true;
        }));
    awaitWaiting(pool, before + 1);
  }

  private void awaitWaiters() throws Exception {
    for (var waiter : waiters) {
      assertThat(waiter.result()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void equalsAreServedInTheOrderInWhichTheyCame(int millisBetween) throws Exception {
    try (DevicePool pool = DevicePool.of(devices(1), still(ticker))) {
      Lease held = lease(pool);
      List<String> names = List.of("first", "second", "third", "fourth", "fifth");
      for (String name : names) {
        comes(pool, name, Demand.any());
        ticker.advance(Duration.ofMillis(millisBetween));
      }
      held.succeed();
      awaitWaiters();
      assertThat(served).isEqualTo(names);
      requireAtRest(pool);
    }
  }

  @Test
  void anUrgentOneHasAHeadStartThatEndsSoThatNobodyStarves() throws Exception {
    try (DevicePool pool = DevicePool.of(devices(1), still(ticker))) {
      Lease held = lease(pool);
      comes(pool, "low", Demand.any().withPriority(Priority.LOW));
      Duration step = HEAD_START.dividedBy(2);
      for (int time = 1; time <= 5; time++) {
        ticker.advance(step);
        comes(pool, "high " + time, Demand.any().withPriority(Priority.HIGH));
      }
      held.succeed();
      awaitWaiters();
      // High is two steps of priority above low, which are four of these steps in time.
      assertThat(served).containsExactly("high 1", "high 2", "high 3", "low", "high 4", "high 5");
    }
  }

  @Test
  void eachStepOfPriorityIsWorthOneHeadStart() throws Exception {
    try (DevicePool pool = DevicePool.of(devices(1), still(ticker))) {
      Lease held = lease(pool);
      comes(pool, "low", Demand.any().withPriority(Priority.LOW));
      ticker.advance(HEAD_START.minusNanos(1));
      comes(pool, "normal, just in time", Demand.any());
      ticker.advance(Duration.ofNanos(2));
      comes(pool, "normal, too late", Demand.any());
      held.succeed();
      awaitWaiters();
      assertThat(served).containsExactly("normal, just in time", "low", "normal, too late");
    }
  }

  @Test
  void aTimeoutSaysWhatWasAskedWhatWasThereAndWhoHoldsWhat() throws Exception {
    Device device = TestingBackend.device(0).withMemory(100).withSlots(2);
    try (DevicePool pool = DevicePool.of(List.of(device), still(ticker))) {
      var holder =
          Eventually.start(() -> {
            Thread.currentThread().setName("the greedy one");
            return pool.lease(Demand.any().withMemory(60), LONG);
          });
      Lease held = holder.result();
      ticker.advance(Duration.ofMillis(1500));
      Demand demand = Demand.of("encode", 3).withMemory(70).withPriority(Priority.HIGH);
      assertThatThrownBy(() -> pool.lease(demand, SHORT))
          .isInstanceOf(PoolException.TimedOut.class)
          .hasMessageContaining("No device for " + demand)
          .hasMessageContainingAll("70", "encode of size 3", "priority high", "0 others wait")
          .hasMessageContaining(device + ": ready, 1 outstanding, 40 bytes free")
          .hasMessageContaining("held by thread the greedy one for 1.5 s")
          .hasMessageContaining("Wait longer, ask for less, or add devices");
      held.succeed();
    }
  }

  @Test
  void oneThatTimesOutLeavesNothingBehind() throws Exception {
    Device device = TestingBackend.device(0).withMemory(100).withSlots(2);
    try (DevicePool pool = DevicePool.of(List.of(device), still(ticker))) {
      Lease held = pool.lease(Demand.any().withMemory(60), LONG);
      assertThatThrownBy(() -> pool.lease(Demand.any().withMemory(70), SHORT))
          .isInstanceOf(PoolException.TimedOut.class);
      assertThat(pool.snapshot().waiting()).isZero();
      Lease small = pool.tryLease(Demand.any().withMemory(40)).orElseThrow();
      small.succeed();
      held.succeed();
      assertThat(pool.snapshot().totals().dispatched()).isEqualTo(2);
      requireAtRest(pool);
    }
  }

  @Test
  void oneThatGivesUpLetsThoseBehindItPass() throws Exception {
    try (DevicePool pool = DevicePool.of(withSlots(devices(1), 2), still(ticker))) {
      Lease held = lease(pool);
      var wide = Eventually.start(() -> pool.lease(Demand.any().withSlots(2), LONG));
      awaitWaiting(pool, 1);
      comes(pool, "behind", Demand.any());
      assertThat(served).isEmpty();
      wide.thread().interrupt();
      awaitWaiters();
      assertThat(served).containsExactly("behind");
      assertThatThrownBy(wide::result).isInstanceOf(InterruptedException.class);
      held.succeed();
    }
  }

  @Test
  void oneThatIsInterruptedSaysWhatItWaitedForAndLeavesNothingBehind() throws Exception {
    try (DevicePool pool = DevicePool.of(devices(1), still(ticker))) {
      Lease held = lease(pool);
      Demand demand = Demand.of("encode", 3);
      var waiting = Eventually.start(() -> pool.lease(demand, LONG));
      awaitWaiting(pool, 1);
      waiting.thread().interrupt();
      assertThatThrownBy(waiting::result)
          .isInstanceOf(InterruptedException.class)
          .hasMessageContaining(demand.toString());
      assertThat(pool.snapshot().waiting()).isZero();
      held.succeed();
      lease(pool).succeed();
      assertThat(pool.snapshot().totals().dispatched()).isEqualTo(2);
      requireAtRest(pool);
    }
  }

  @Test
  void oneThatIsInterruptedBeforeDoesNotBeginToWait() throws Exception {
    try (DevicePool pool = DevicePool.of(devices(1), still(ticker))) {
      Lease held = lease(pool);
      var waiting =
          Eventually.start(() -> {
            Thread.currentThread().interrupt();
            return pool.lease(Demand.any(), LONG);
          });
      assertThatThrownBy(waiting::result).isInstanceOf(InterruptedException.class);
      held.succeed();
      requireAtRest(pool);
    }
  }

  @Test
  void aLargeDemandIsNotStarvedBySmallOnes() throws Exception {
    try (DevicePool pool = DevicePool.of(withSlots(devices(1), 2), still(ticker))) {
      Lease one = lease(pool);
      Lease two = lease(pool);
      comes(pool, "large", Demand.any().withSlots(2));
      comes(pool, "small", Demand.any());
      one.succeed();
      // One slot is free now, and it is kept for the one who needs two.
      assertThat(pool.tryLease(Demand.any())).isEmpty();
      assertThat(pool.snapshot().waiting()).isEqualTo(2);
      two.succeed();
      awaitWaiters();
      assertThat(served).containsExactly("large", "small");
      requireAtRest(pool);
    }
  }

  @Test
  void oneThatWaitsIsInTheWayOnlyOnDevicesThatItCouldUse() throws Exception {
    List<Device> devices = withSlots(devices(2), 2);
    try (DevicePool pool = DevicePool.of(devices, still(ticker))) {
      Lease held = lease(pool, devices.get(0));
      comes(pool, "wide", Demand.any().withSlots(2).onlyOn(devices.get(0).id()));
      for (int i = 0; i < 2; i++) {
        Lease other = pool.tryLease(Demand.any()).orElseThrow();
        assertThat(other.device()).isEqualTo(devices.get(1));
        other.succeed();
      }
      held.succeed();
      awaitWaiters();
    }
  }

  @Test
  void aJobThatIsWithdrawnWhileItWaitsNeverRunsAndLetsOthersPass() throws Exception {
    Device device = TestingBackend.device(0).withMemory(10).withSlots(2);
    try (DevicePool pool = DevicePool.of(List.of(device), still(ticker))) {
      Lease held = pool.lease(Demand.any().withMemory(5), LONG);
      Once large = new Once();
      Ticket ticket = pool.submit(Demand.any().withMemory(8), large);
      Once small = new Once();
      Ticket behind = pool.submit(Demand.any().withMemory(5), small);
      assertThat(pool.snapshot().waiting()).isEqualTo(2);
      assertThat(pool.jobs()).containsExactly(large, small);
      assertThat(pool.withdraw(ticket)).isTrue();
      assertThat(pool.withdraw(ticket)).isFalse();
      Eventually.open(small.ran);
      assertThat(pool.withdraw(behind)).isFalse();
      held.succeed();
      requireAtRest(pool);
      assertThat(large.ran.getCount()).isEqualTo(1);
      assertThat(large.abandoned).isNotDone();
      assertThat(pool.snapshot().totals().dispatched()).isEqualTo(2);
    }
  }

  /** A device that is freed takes a job from the other one, which then has what a waiter lacks. */
  @Test
  void oneThatTheOtherDeviceServesMeanwhileIsServedOnce() throws Exception {
    Device from = device(0).withSlots(2).withMemory(10);
    Device freed = device(1).withSlots(4).withMemory(100);
    try (DevicePool pool = DevicePool.of(List.of(from, freed), still(ticker))) {
      TestingJob busy = WorkStealingTest.hold(pool, from);
      Lease small = pool.lease(WorkStealingTest.on(freed), LONG);
      Lease most = pool.lease(WorkStealingTest.on(freed).withSlots(3), LONG);
      TestingJob wide = TestingJob.held("wide");
      pool.submit(Demand.any().withSlots(2).withMemory(8), wide);
      assertThat(WorkStealingTest.queued(pool, from)).isEqualTo(1);
      ticker.advance(SHORT);
      var waiter = Eventually.start(() -> pool.lease(Demand.any().withMemory(8), LONG));
      awaitWaiting(pool, 1);
      most.succeed();
      Lease granted = waiter.result();
      assertThat(wide.device()).isEqualTo(freed);
      assertThat(granted.device()).isEqualTo(from);
      assertThat(entry(pool, freed).load().queueDepth()).isEqualTo(2);
      assertThat(entry(pool, freed).load().freeBytes()).isEqualTo(92);
      granted.succeed();
      small.succeed();
      wide.letGo();
      busy.letGo();
      requireAtRest(pool);
    }
  }

  @Test
  void closingRefusesThoseWhoWait() throws Exception {
    DevicePool pool = DevicePool.of(devices(1), still(ticker));
    Lease held = lease(pool);
    var waiting = Eventually.start(() -> pool.lease(Demand.any(), LONG));
    awaitWaiting(pool, 1);
    var closing = Eventually.close(pool);
    assertThatThrownBy(waiting::result).isInstanceOf(PoolException.PoolClosed.class);
    held.succeed();
    assertThat(closing.result()).isTrue();
  }
}
