package dev.fairlead.units;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Device;
import dev.fairlead.health.Health;
import dev.fairlead.outcome.Outcome;
import dev.fairlead.outcome.TaskException;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.policy.Tenant;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.Eventually;
import dev.fairlead.pool.NoThreadLeft;
import dev.fairlead.pool.TestingBackend;
import dev.fairlead.pool.TestingPools;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Several jobs in one queue: what is a job's own, how it parks, goes on and leaves. */
@ExtendWith(NoThreadLeft.class)
@Timeout(60)
class PartyTest {
  private final List<String> ran = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch barrier = new CountDownLatch(1);
  private final CountDownLatch running = new CountDownLatch(1);

  private static DevicePool pool(int devices) {
    return DevicePool.of(TestingBackend.devices(devices), TestingPools.options());
  }

  private static UnitQueue queue(DevicePool pool) {
    return UnitQueue.open(pool, ServicePolicies.anyRung());
  }

  private static <R> Outcome<R> await(UnitTask<R> unit) throws InterruptedException {
    return unit.await(TestingPools.LONG).orElseThrow(() -> new AssertionError(unit + " hangs"));
  }

  /** Notes that it has run. */
  private UnitTask<Device> offer(Party party, long order) {
    return party.offer(
        0,
        order,
        Demand.any(),
        (slot, cancelled) -> {
          ran.add(party.options().name() + order);
          return slot.device();
        });
  }

  /** Runs until the barrier opens. */
  private UnitTask<Device> hold(Party party, long order) {
    UnitTask<Device> unit =
        party.offer(
            0,
            order,
            Demand.any(),
            (slot, cancelled) -> {
              running.countDown();
              Eventually.open(barrier);
              return slot.device();
            });
    Eventually.open(running);
    return unit;
  }

  private static void end(CompletionStage<Void> stage) throws Exception {
    stage.toCompletableFuture().get(TestingPools.LONG.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void groupsListenersStrikesAndReportsAreAPartysOwn() throws Exception {
    List<UnitListener.Event> events = Collections.synchronizedList(new ArrayList<>());
    ServiceOptions heard = ServiceOptions.usual().withListener(events::add);
    try (DevicePool pool = pool(1);
        UnitQueue queue = queue(pool);
        Party one = queue.join(PartyOptions.of("one", 1).withService(heard));
        Party two = queue.join(PartyOptions.of("two", 3))) {
      one.strikeOff(0, pool.byIndex(0).id(), "not for one");
      assertThatThrownBy(() -> await(offer(one, 0)).orThrow())
          .isInstanceOf(TaskException.GroupStruckOff.class)
          .hasMessageContaining("not for one");
      assertThat(await(offer(two, 0)).isSuccess()).isTrue();
      assertThatThrownBy(() -> one.offer(1, 0, Demand.any(), (slot, cancelled) -> 1))
          .isInstanceOf(IndexOutOfBoundsException.class);
      two.close();
      one.close();
      assertThat(one.report().groups())
          .containsExactly(new ServiceReport.GroupShare(0, 0, 0, 1, 0));
      assertThat(two.report().groups().getFirst())
          .isEqualTo(new ServiceReport.GroupShare(0, 0, 1, 0, 0));
      assertThat(events).hasSize(2);
    }
  }

  @Test
  void aPartyThatLeavesTakesItsUnitsAlongAndTheOtherGoesOn() throws Exception {
    try (DevicePool pool = pool(1);
        UnitQueue queue = queue(pool);
        Party stays = queue.join(PartyOptions.of("stays", 1))) {
      UnitTask<Device> held = hold(stays, 0);
      Party leaves = queue.join(PartyOptions.of("leaves", 1));
      UnitTask<Device> withdrawn = offer(leaves, 0);
      leaves.cancelAndClose();
      assertThat(await(withdrawn)).isInstanceOf(Outcome.Cancelled.class);
      assertThatThrownBy(() -> offer(leaves, 1)).isInstanceOf(TaskException.ServiceClosed.class);
      assertThat(held.isEnded()).isFalse();
      barrier.countDown();
      assertThat(await(held).isSuccess()).isTrue();
      assertThat(await(offer(stays, 1)).isSuccess()).isTrue();
      assertThat(ran).containsExactly("stays1");
    }
  }

  @Test
  void closingAPartyWaitsForItsUnitsOnly() throws Exception {
    try (DevicePool pool = pool(2);
        UnitQueue queue = queue(pool);
        Party busy = queue.join(PartyOptions.of("busy", 1))) {
      UnitTask<Device> held = hold(busy, 0);
      Party done = queue.join(PartyOptions.of("done", 1));
      UnitTask<Device> unit = offer(done, 0);
      done.close();
      assertThat(unit.isEnded()).isTrue();
      assertThat(held.isEnded()).isFalse();
      barrier.countDown();
    }
  }

  @Test
  void aParkedPartyEndsWhatRunsAndStartsNothingUntilItGoesOn() throws Exception {
    try (DevicePool pool = pool(1);
        UnitQueue queue = queue(pool);
        Party party = queue.join(PartyOptions.of("party", 1));
        Party other = queue.join(PartyOptions.of("other", 1))) {
      UnitTask<Device> held = hold(party, 0);
      UnitTask<Device> waits = offer(party, 1);
      CompletionStage<Void> parked = party.park();
      UnitTask<Device> late = offer(party, 2);
      assertThat(parked.toCompletableFuture()).isNotDone();
      barrier.countDown();
      end(parked);
      assertThat(await(held).isSuccess()).isTrue();
      assertThat(await(offer(other, 0)).isSuccess()).as("the device is another's").isTrue();
      assertThat(waits.isEnded() || late.isEnded()).isFalse();
      party.goOn();
      assertThat(await(waits).isSuccess() && await(late).isSuccess()).isTrue();
      assertThat(ran).containsExactly("other0", "party1", "party2");
    }
  }

  @Test
  void aParkedPartyThatLeavesHasWhatWaitsWithdrawn() throws Exception {
    try (DevicePool pool = pool(1);
        UnitQueue queue = queue(pool)) {
      Party party = queue.join(PartyOptions.of("party", 1));
      end(party.park());
      UnitTask<Device> waits = offer(party, 0);
      party.close();
      assertThat(await(waits)).isInstanceOf(Outcome.Cancelled.class);
      end(party.park());
      assertThat(ran).isEmpty();
    }
  }

  @Test
  void aQueueThatClosesWithdrawsWhatParkedPartiesHave() throws Exception {
    try (DevicePool pool = pool(1)) {
      UnitQueue queue = queue(pool);
      Party party = queue.join(PartyOptions.of("party", 1));
      end(party.park());
      UnitTask<Device> waits = offer(party, 0);
      queue.close();
      assertThat(await(waits)).isInstanceOf(Outcome.Cancelled.class);
      party.close();
      assertThatThrownBy(() -> queue.join(PartyOptions.of("late", 1)))
          .isInstanceOf(TaskException.ServiceClosed.class);
    }
  }

  @Test
  void aUnitThatCannotRunNowLeavesItsDeviceToOthersAndHasNotFailed() throws Exception {
    CompletableFuture<Void> workerIsUp = new CompletableFuture<>();
    AtomicInteger tries = new AtomicInteger();
    try (DevicePool pool = pool(1);
        UnitQueue queue = queue(pool);
        Party party = queue.join(PartyOptions.of("party", 1));
        Party other = queue.join(PartyOptions.of("other", 1))) {
      UnitTask<Integer> unit =
          party.offer(
              0,
              0,
              Demand.any(),
              (slot, cancelled) -> {
                if (tries.getAndIncrement() < 5 && !workerIsUp.isDone()) {
                  throw new NotNow("the worker starts", workerIsUp);
                }
                return slot.number();
              });
      Eventually.until("it was tried", () -> tries.get() == 1);
      for (int chunk = 0; chunk < 3; chunk++) {
        assertThat(await(offer(other, chunk)).isSuccess()).isTrue();
      }
      assertThat(tries).hasValue(1);
      assertThat(unit.isEnded()).isFalse();
      workerIsUp.complete(null);
      Outcome.Succeeded<Integer> done = (Outcome.Succeeded<Integer>) await(unit);
      assertThat(done.failures()).isEmpty();
      assertThat(pool.snapshot().totals().failed()).isZero();
      assertThat(pool.health(pool.byIndex(0).id())).isEqualTo(Health.READY);
      assertThat(tries).hasValue(2);
    }
  }

  private static String describe(UnitListener.Event event) {
    return switch (event) {
      case UnitListener.Event.Started started -> "started";
      case UnitListener.Event.SetAside aside -> "set aside: " + aside.reason();
      case UnitListener.Event.Requeued again -> "requeued: " + again.reason().getMessage();
      case UnitListener.Event.Ended ended -> "ended: " + ended.outcome().isSuccess();
      case UnitListener.Event.StruckOff off -> "struck off";
    };
  }

  /** A listener that counts failures by what is requeued has nothing to count. */
  @Test
  void aUnitThatCannotRunNowIsReportedAsSetAside() throws Exception {
    CompletableFuture<Void> workerIsUp = new CompletableFuture<>();
    List<String> reported = Collections.synchronizedList(new ArrayList<>());
    ServiceOptions listening =
        ServiceOptions.usual()
            .withListener(event -> {
              reported.add(describe(event));
              if (event instanceof UnitListener.Event.SetAside) {
                workerIsUp.complete(null);
              }
            });
    try (DevicePool pool = pool(1);
        UnitQueue queue = queue(pool);
        Party party = queue.join(PartyOptions.of("party", 1).withService(listening))) {
      UnitTask<Integer> unit =
          party.offer(
              0,
              0,
              Demand.any(),
              (slot, cancelled) -> {
                if (!workerIsUp.isDone()) {
                  throw new NotNow("the worker starts", workerIsUp);
                }
                return slot.number();
              });
      assertThat(await(unit).isSuccess()).isTrue();
    }
    assertThat(reported)
        .containsExactly("started", "set aside: the worker starts", "started", "ended: true");
  }

  @Test
  void aUnitThatIsAsideWhenItsPartyLeavesIsCancelled() throws Exception {
    CompletableFuture<Void> never = new CompletableFuture<>();
    AtomicInteger tries = new AtomicInteger();
    try (DevicePool pool = pool(1);
        UnitQueue queue = queue(pool)) {
      Party party = queue.join(PartyOptions.of("party", 1));
      UnitTask<Integer> unit =
          party.offer(
              0,
              0,
              Demand.any(),
              (slot, cancelled) -> {
                tries.incrementAndGet();
                throw new NotNow("the chunk is awaited", never);
              });
      Eventually.until("it was tried", () -> tries.get() == 1);
      party.cancelAndClose();
      assertThat(await(unit)).isInstanceOf(Outcome.Cancelled.class);
      never.complete(null);
      assertThat(party.report().groups().getFirst())
          .isEqualTo(new ServiceReport.GroupShare(0, 0, 0, 0, 1));
    }
    assertThat(tries).hasValue(1);
  }

  @Test
  void nothingOfAPartyThatHasLeftStays() throws Exception {
    try (DevicePool pool = pool(2);
        UnitQueue queue = queue(pool)) {
      for (int job = 0; job < 100; job++) {
        try (Party party = queue.join(PartyOptions.of("job" + job, 1))) {
          offer(party, 0);
          party.whole(0, false);
        }
      }
      assertThat(queue.parties()).isZero();
      assertThat(ran).hasSize(100);
    }
  }

  @Test
  void mistakesAreRefused() {
    for (double weight : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> new Tenant("a", weight))
          .isInstanceOf(Tenant.BadWeight.class)
          .hasMessageContaining("The weight of tenant a");
    }
    assertThatThrownBy(() -> new Tenant(" ", 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> PartyOptions.of("party", 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
