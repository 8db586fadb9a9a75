package dev.fairlead.dispatch;

import static dev.fairlead.pool.TestingBackend.devices;
import static dev.fairlead.pool.TestingPools.options;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.DeviceWork;
import dev.fairlead.outcome.RetryOptions;
import dev.fairlead.policy.Demand;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.Eventually;
import dev.fairlead.pool.NoThreadLeft;
import dev.fairlead.pool.TestingPools;
import dev.fairlead.pool.Woven;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A cancel against a task that starts or ends: it ends once, in one way, and gives its place among
 * those in flight back once. A thread is held at the very step where the other one overtakes it.
 */
@ExtendWith(NoThreadLeft.class)
class CancelRaceTest {
  /** A task of a dispatcher that lets one in at a time, and what became of it. */
  private abstract static class Scenario implements Callable<String> {
    final CountDownLatch goOn = new CountDownLatch(1);
    private final AtomicInteger runs = new AtomicInteger();
    private final AtomicInteger ends = new AtomicInteger();

    /** Has a cancel and the task meet; whether the cancel has won, as it says. */
    abstract boolean cancels(DevicePool pool, Task<Integer> task) throws Exception;

    @Override
    public String call() throws Exception {
      try (DevicePool pool = DevicePool.of(devices(1), options());
          Dispatcher dispatcher = Dispatcher.on(pool, 1)) {
        Task<Integer> task =
            dispatcher.submit(
                Demand.any(),
                slot -> {
                  Eventually.open(goOn);
                  return runs.incrementAndGet();
                });
        task.onEnd(outcome -> ends.incrementAndGet());
        boolean cancelled = cancels(pool, task);
        String end = task.await(TestingPools.LONG).orElseThrow().getClass().getSimpleName();
        TestingPools.requireAtRest(pool);
        Eventually.until("its end is reported", () -> ends.get() > 0);
        return "cancelled: %b, %s, ran %d times, ended %d times, %d places"
            .formatted(cancelled, end, runs.get(), ends.get(), places(dispatcher));
      }
    }

    /** How many the dispatcher lets in now. */
    private static int places(Dispatcher dispatcher) {
      CountDownLatch end = new CountDownLatch(1);
      DeviceWork<Integer, Exception> stays =
          slot -> {
            Eventually.open(end);
            return 1;
          };
      int places = 0;
      while (places < 3
          && dispatcher.trySubmit(Demand.any(), stays, RetryOptions.once()).isPresent()) {
        places++;
      }
      end.countDown();
      return places;
    }
  }

  /** The device's thread is about to run it when it is cancelled. */
  private static final class CancelledAsItStarts extends Scenario {
    @Override
    boolean cancels(DevicePool pool, Task<Integer> task) {
      goOn.countDown();
      Woven.seam().awaitReached();
      try {
        return task.cancel();
      } finally {
        Woven.seam().letGo();
      }
    }
  }

  @Test
  void aTaskThatIsCancelledAsItStartsDoesNotRun() throws Exception {
    Callable<String> task =
        Woven.<Callable<String>>heldBefore("PlacedTask", "run", "STATE", CancelledAsItStarts.class);
    assertThat(task.call())
        .isEqualTo("cancelled: true, Cancelled, ran 0 times, ended 1 times, 1 places");
  }

  /** The cancel has seen that the task runs, and says so after it is done. */
  private static final class DoneAsItIsCancelled extends Scenario {
    @Override
    boolean cancels(DevicePool pool, Task<Integer> task) throws Exception {
      var cancelling = Eventually.start(task::cancel);
      Woven.seam().awaitReached();
      goOn.countDown();
      Eventually.until("it is done", () -> pool.snapshot().totals().completed() == 1);
      Woven.seam().letGo();
      return cancelling.result();
    }
  }

  @Test
  void aTaskThatIsDoneAsItIsCancelledIsDone() throws Exception {
    Callable<String> task =
        Woven.<Callable<String>>heldBefore("PlacedTask", "end", "STATE", DoneAsItIsCancelled.class);
    assertThat(task.call())
        .isEqualTo("cancelled: false, Succeeded, ran 1 times, ended 1 times, 1 places");
  }
}
