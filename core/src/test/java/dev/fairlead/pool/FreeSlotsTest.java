package dev.fairlead.pool;

import static dev.fairlead.pool.TestingBackend.device;
import static dev.fairlead.pool.TestingPools.LONG;
import static dev.fairlead.pool.TestingPools.awaitWaiting;
import static dev.fairlead.pool.TestingPools.requireAtRest;
import static dev.fairlead.pool.TestingPools.still;
import static dev.fairlead.pool.TestingPools.tick;
import static dev.fairlead.pool.WorkStealingTest.hold;
import static dev.fairlead.pool.WorkStealingTest.queued;
import static dev.fairlead.pool.WorkStealingTest.submit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.device.Vendor;
import dev.fairlead.lease.Lease;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.PlacementPolicy;
import dev.fairlead.policy.Priority;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Slots that are free while a job waits that could have them. */
@ExtendWith(NoThreadLeft.class)
class FreeSlotsTest {
  private final ManualTicker ticker = new ManualTicker();
  private final Device a = device(0);
  private final Device b = device(1);

  @Test
  void theSecondDeviceOfAPoolTakesWhatIsQueuedOnTheFirst() throws Exception {
    try (DevicePool pool = DevicePool.of(List.of(a), still(ticker))) {
      TestingJob onA = hold(pool, a);
      List<TestingJob> jobs = submit(pool, 5, Demand.any());
      assertThat(queued(pool, a)).isEqualTo(5);
      pool.add(b);
      try {
        jobs.forEach(TestingJob::awaitEnd);
        assertThat(jobs).allSatisfy(job -> assertThat(job.device()).isEqualTo(b));
        assertThat(onA.hasEnded()).isFalse();
      } finally {
        onA.letGo();
      }
      requireAtRest(pool);
    }
  }

  /** The fleet changes between the look of the policy and the place in the queue. */
  @Test
  void aDeviceThatComesWhileAJobIsBeingPlacedTakesIt() throws Exception {
    AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
    PlacementPolicy slow =
        PlacementPolicy.of(
            "slow",
            candidates -> {
              for (int index = 0; index < candidates.size(); index++) {
                if (candidates.available(index)) {
                  if (candidates.full(index)) {
                    meanwhile.getAndSet(() -> {}).run();
                  }
                  return index;
                }
              }
              return -1;
            });
    try (DevicePool pool = DevicePool.of(List.of(a), still(ticker).withPolicy(slow))) {
      TestingJob onA = hold(pool, a);
      meanwhile.set(() -> pool.add(b));
      List<TestingJob> jobs = submit(pool, 1, Demand.any());
      try {
        assertThat(pool.size()).isEqualTo(2);
        tick(pool, ticker, Duration.ofMillis(1));
        jobs.forEach(TestingJob::awaitEnd);
        assertThat(onA.hasEnded()).isFalse();
      } finally {
        onA.letGo();
      }
      requireAtRest(pool);
    }
  }

  /** The free device has no memory left for many that wait, but a slot for the last of them. */
  @Test
  void manyThatDoNotFitDoNotHideOneThatDoes() throws Exception {
    Device large = a.withMemory(1_000);
    Device small = b.withMemory(10).withSlots(40);
    try (DevicePool pool = DevicePool.of(List.of(large, small), still(ticker))) {
      TestingJob onLarge = hold(pool, large);
      Lease memory = pool.lease(Demand.any().onlyOn(small.id()).withMemory(8), LONG);
      List<TestingJob> others = new ArrayList<>();
      for (int i = 1; i < small.slots(); i++) {
        others.add(hold(pool, small));
      }
      for (int i = 0; i < 20; i++) {
        pool.submit(Demand.any().withMemory(6), TestingJob.quick("does not fit " + i));
      }
      TestingJob fits = TestingJob.quick("fits");
      pool.submit(Demand.any().except(device(9).id()), fits);
      assertThat(queued(pool, large)).isEqualTo(21);
      others.getFirst().letGo();
      try {
        tick(pool, ticker, Duration.ofMillis(1));
        fits.awaitEnd();
        assertThat(fits.device()).isEqualTo(small);
      } finally {
        onLarge.letGo();
        others.forEach(TestingJob::letGo);
        memory.succeed();
      }
      requireAtRest(pool);
    }
  }

  /** It joins a queue, and is the first there, since the one before it is of a lower priority. */
  @Test
  void anUrgentJobThatFitsDoesNotWaitBehindAWideOne() throws Exception {
    Device wide = a.withSlots(2);
    try (DevicePool pool = DevicePool.of(List.of(wide), still(ticker))) {
      TestingJob held = hold(pool, wide);
      TestingJob needsTwo = TestingJob.quick("needs two");
      pool.submit(Demand.any().withSlots(2), needsTwo);
      TestingJob urgent = TestingJob.quick("urgent");
      pool.submit(Demand.any().withPriority(Priority.HIGH), urgent);
      try {
        tick(pool, ticker, Duration.ofMillis(1));
        urgent.awaitEnd();
        assertThat(needsTwo.hasStarted()).isFalse();
      } finally {
        held.letGo();
      }
      requireAtRest(pool);
    }
  }

  @Test
  void oneThatOnlyTriesAndNeedsNoSessionPassesThoseWhoLackOnlyThat() throws Exception {
    Device wide = a.withSlots(2);
    Demand session = Demand.any().with("session", 1);
    try (DevicePool pool =
        DevicePool.of(List.of(wide), still(ticker).withHostLimits(Map.of("session", 1L)))) {
      Lease held = pool.lease(session, LONG);
      var waiting = Eventually.start(() -> pool.lease(session, LONG));
      awaitWaiting(pool, 1);
      try {
        pool.tryLease(Demand.any()).orElseThrow().succeed();
      } finally {
        held.succeed();
        waiting.result().succeed();
      }
      requireAtRest(pool);
    }
  }

  /** Two slots become free at once; the device's own queue has a job for one of them. */
  @Test
  void aDeviceThatHasStartedItsOwnTakesMoreForItsOtherSlots() throws Exception {
    Device one = a.withIdentity(a.id(), "one", Vendor.NVIDIA);
    Device two = b.withIdentity(b.id(), "two", Vendor.NVIDIA);
    Device wide = device(2).withSlots(3);
    try (DevicePool pool = DevicePool.of(List.of(one, two, wide), still(ticker))) {
      TestingJob onOne = hold(pool, one);
      TestingJob onTwo = hold(pool, two);
      TestingJob narrow = hold(pool, wide);
      Lease both = pool.lease(WorkStealingTest.on(wide).withSlots(2), LONG);
      TestingJob own = TestingJob.held("its own");
      pool.submit(WorkStealingTest.on(wide), own);
      // Of a higher priority than its own, so that it looks; but not for this device.
      TestingJob urgent = TestingJob.quick("urgent");
      pool.submit(Demand.any().ofVendor(Vendor.NVIDIA).withPriority(Priority.HIGH), urgent);
      TestingJob any = TestingJob.quick("any");
      pool.submit(Demand.any(), any);
      both.succeed();
      try {
        own.awaitStart();
        any.awaitEnd();
        assertThat(any.device()).isEqualTo(wide);
        assertThat(urgent.hasStarted()).isFalse();
      } finally {
        List.of(onOne, onTwo, narrow, own).forEach(TestingJob::letGo);
      }
      requireAtRest(pool);
    }
  }

  /** The wide job kept a slot from others until another device took it over. */
  @Test
  void aDeviceFromWhichAWideJobIsTakenTakesWhatFitsNow() throws Exception {
    Device from = b.withSlots(2);
    Device to = device(2).withSlots(2);
    try (DevicePool pool = DevicePool.of(List.of(a, from, to), still(ticker))) {
      TestingJob onA = hold(pool, a);
      TestingJob onFrom = hold(pool, from);
      Lease one = pool.lease(WorkStealingTest.on(to), LONG);
      Lease other = pool.lease(WorkStealingTest.on(to), LONG);
      TestingJob wide = TestingJob.held("wide");
      pool.submit(Demand.any().withSlots(2), wide);
      assertThat(queued(pool, from)).as("the shorter queue").isEqualTo(1);
      TestingJob any = TestingJob.quick("any");
      pool.submit(Demand.any().except(to.id()), any);
      try {
        assertThat(queued(pool, a)).isEqualTo(1);
        one.succeed();
        other.succeed();
        assertThat(wide.device()).isEqualTo(to);
        any.awaitEnd();
        assertThat(any.device()).isEqualTo(from);
      } finally {
        List.of(onA, onFrom, wide).forEach(TestingJob::letGo);
      }
      requireAtRest(pool);
    }
  }

  /** The same for one that no other device may run. */
  @Test
  void aDeviceFromWhichAWideJobIsTakenStartsItsOwn() throws Exception {
    Device from = a.withSlots(2);
    Device to = b.withSlots(2);
    try (DevicePool pool = DevicePool.of(List.of(from, to), still(ticker))) {
      TestingJob onFrom = hold(pool, from);
      Lease one = pool.lease(WorkStealingTest.on(to), LONG);
      Lease other = pool.lease(WorkStealingTest.on(to), LONG);
      TestingJob wide = TestingJob.held("wide");
      pool.submit(Demand.any().withSlots(2), wide);
      TestingJob own = TestingJob.quick("its own");
      pool.submit(WorkStealingTest.on(from), own);
      assertThat(queued(pool, from)).isEqualTo(2);
      one.succeed();
      other.succeed();
      try {
        assertThat(wide.device()).isEqualTo(to);
        own.awaitEnd();
      } finally {
        List.of(onFrom, wide).forEach(TestingJob::letGo);
      }
      requireAtRest(pool);
    }
  }
}
