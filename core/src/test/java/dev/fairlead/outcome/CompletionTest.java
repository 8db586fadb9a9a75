package dev.fairlead.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CompletionTest {
  /** Never ends. */
  private static final class Endless extends Completion<Integer> {
    @Override
    protected Outcome<Integer> ended() {
      throw new AssertionError("it has not ended");
    }

    @Override
    protected void checkWait() {}
  }

  @Test
  void waitingWithALimitLeavesNobodyBehind() throws Exception {
    Endless task = new Endless();
    for (int time = 0; time < 100; time++) {
      assertThat(task.await(Duration.ofNanos(1))).isEmpty();
    }
    assertThat(task.watching()).isZero();
  }
}
