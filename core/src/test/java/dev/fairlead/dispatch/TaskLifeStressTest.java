package dev.fairlead.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.outcome.Outcome;
import dev.fairlead.outcome.RetryOptions;
import dev.fairlead.policy.Demand;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.Eventually;
import dev.fairlead.pool.NoThreadLeft;
import dev.fairlead.pool.TestingBackend;
import dev.fairlead.pool.TestingPools;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A task's life under fire: whoever cancels it, and whenever, it ends once and harms no other. */
@ExtendWith(NoThreadLeft.class)
class TaskLifeStressTest {
  private static final int ROUNDS = Boolean.getBoolean("fairlead.full") ? 200_000 : 20_000;

  @Test
  void aCancelNeverInterruptsTheTaskThatRunsNext() throws Exception {
    try (DevicePool pool = DevicePool.of(TestingBackend.devices(1), TestingPools.options());
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      AtomicReference<Task<Integer>> victim = new AtomicReference<>();
      CyclicBarrier together = new CyclicBarrier(2);
      var canceller =
          Eventually.start(() -> {
            int cancelled = 0;
            for (int round = 0; round < ROUNDS; round++) {
              together.await(20, TimeUnit.SECONDS);
              cancelled += victim.get().cancel() ? 1 : 0;
            }
            return cancelled;
          });
      AtomicInteger interrupted = new AtomicInteger();
      for (int round = 0; round < ROUNDS; round++) {
        victim.set(dispatcher.submit(Demand.any(), slot -> 1));
        together.await(20, TimeUnit.SECONDS);
        Task<Boolean> next =
            dispatcher.submit(Demand.any(), slot -> Thread.currentThread().isInterrupted());
        interrupted.addAndGet(next.await(TestingPools.LONG).orElseThrow().orThrow() ? 1 : 0);
      }
      canceller.result();
      assertThat(interrupted).as("tasks that an interrupt of another one hit").hasValue(0);
    }
  }

  @Test
  void whoeverEndsItATaskEndsOnceAndItsPlaceIsGivenBackOnce() throws Exception {
    Random random = new Random(11);
    try (DevicePool pool = DevicePool.of(TestingBackend.devices(2), TestingPools.options())) {
      Dispatcher dispatcher = Dispatcher.on(pool, 2);
      for (int round = 0; round < ROUNDS / 4; round++) {
        AtomicInteger ends = new AtomicInteger();
        CompletableFuture<Integer> event = new CompletableFuture<>();
        boolean later = random.nextBoolean();
        // With two in flight at most, a place that is not given back stops this loop.
        var submitting =
            Eventually.start(() ->
                later
                    ? dispatcher.submitAsync(Demand.any(), slot -> event, RetryOptions.once())
                    : dispatcher.submit(Demand.any(), slot -> 1));
        Task<Integer> task = submitting.result();
        task.onEnd(outcome -> ends.incrementAndGet());
        var rival = Thread.ofPlatform().daemon().start(task::cancel);
        event.complete(1);
        Outcome<Integer> outcome =
            task.await(Duration.ofSeconds(20))
                .orElseThrow(() -> new AssertionError("The task does not end"));
        rival.join(20_000);
        assertThat(task.cancel()).isFalse();
        assertThat(task.await()).isEqualTo(outcome);
        Eventually.until("told once", () -> ends.get() == 1);
      }
      requireTwoPlaces(dispatcher);
      Eventually.close(dispatcher).result();
    }
  }

  /** A place that was given back twice would let a third one in. */
  private static void requireTwoPlaces(Dispatcher dispatcher) throws Exception {
    CompletableFuture<Integer> event = new CompletableFuture<>();
    for (int place = 0; place < 2; place++) {
      var held =
          Eventually.start(
              () -> dispatcher.submitAsync(Demand.any(), slot -> event, RetryOptions.once()));
      held.result();
    }
    assertThat(dispatcher.trySubmit(Demand.any(), slot -> 1, RetryOptions.once())).isEmpty();
    event.complete(1);
  }

  /** The event of a cancelled task completes on a thread that is nobody's business. */
  @Test
  void completingACancelledTaskLeavesTheThreadsInterruptStatusAlone() throws Exception {
    try (DevicePool pool = DevicePool.of(TestingBackend.devices(1), TestingPools.options());
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      CompletableFuture<Integer> event = new CompletableFuture<>();
      Task<Integer> task = dispatcher.submitAsync(Demand.any(), slot -> event, RetryOptions.once());
      Eventually.until("pending", () -> event.getNumberOfDependents() > 0);
      task.cancel();
      Thread.currentThread().interrupt();
      event.complete(1);
      assertThat(Thread.interrupted()).isTrue();
    }
  }
}
