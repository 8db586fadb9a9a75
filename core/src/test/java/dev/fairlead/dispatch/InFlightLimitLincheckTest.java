package dev.fairlead.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.pool.Eventually;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.junit.jupiter.api.Test;

/**
 * The limit of what is in flight: never more inside than allowed, never one kept out for ever while
 * there is room. Lincheck runs every interleaving of those who do not wait; a stress test has those
 * who do.
 */
public class InFlightLimitLincheckTest {
  private static final boolean FULL = Boolean.getBoolean("fairlead.full");
  private static final long PATIENCE = 20_000_000_000L;

  private static final int THREADS = 2;

  private final InFlightLimit inFlight = new InFlightLimit(2);
  private final int[] inside = new int[THREADS + 2];

  @Operation
  public boolean enter(@Param(gen = ThreadIdGen.class) int thread) {
    boolean entered = inFlight.tryEnter();
    inside[thread] += entered ? 1 : 0;
    return entered;
  }

  /** Leaves if this thread is inside. */
  @Operation
  public boolean leave(@Param(gen = ThreadIdGen.class) int thread) {
    if (inside[thread] == 0) {
      return false;
    }
    inside[thread]--;
    inFlight.leave();
    return true;
  }

  @Test
  void neverMoreAreInsideThanAllowed() {
    new ModelCheckingOptions()
        .iterations(FULL ? 60 : 30)
        .invocationsPerIteration(FULL ? 3_000 : 1_500)
        .threads(THREADS)
        .actorsPerThread(3)
        .check(InFlightLimitLincheckTest.class);
  }

  /** With nobody else coming or going, a signal that is lost is never made good. */
  @Test
  void whoeverWaitsIsLetInWhenSomebodyLeaves() throws Exception {
    for (int round = 0; round < (FULL ? 20_000 : 1_000); round++) {
      InFlightLimit narrow = new InFlightLimit(1);
      narrow.enter();
      var next = Eventually.start(() -> narrow.enter(Long.MAX_VALUE));
      if (round % 10 == 0) {
        next.isWaiting();
      }
      narrow.leave();
      assertThat(next.result()).isTrue();
    }
  }

  @Test
  void nobodyIsKeptOutWhileThereIsRoom() throws Exception {
    int rounds = FULL ? 400_000 : 40_000;
    InFlightLimit narrow = new InFlightLimit(1);
    AtomicInteger within = new AtomicInteger();
    List<Eventually.Started<Integer>> threads = new ArrayList<>();
    for (int thread = 0; thread < 3; thread++) {
      threads.add(
          Eventually.start(() -> {
            int most = 0;
            for (int round = 0; round < rounds; round++) {
              if (!narrow.enter(PATIENCE)) {
                throw new AssertionError("Not let in, though others leave all the time");
              }
              most = Math.max(most, within.incrementAndGet());
              within.decrementAndGet();
              narrow.leave();
            }
            return most;
          }));
    }
    for (Eventually.Started<Integer> thread : threads) {
      assertThat(thread.future().get(5, TimeUnit.MINUTES)).isEqualTo(1);
    }
  }
}
