package dev.fairlead.media.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.media.wire.Failure;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** A worker counts as hung when it has given no sign for so long, however long it takes in all. */
class PendingAnswerTest {
  private static final Duration PATIENCE = Duration.ofHours(1);

  /** What happens just before each look at the clock. */
  private final Deque<Runnable> looks = new ArrayDeque<>();

  private Duration now = Duration.ZERO;
  private final PendingAnswer pending = new PendingAnswer(this::look);

  private long look() {
    Runnable first = looks.poll();
    if (first != null) {
      first.run();
    }
    return now.toNanos();
  }

  private void passPatience() {
    now = now.plus(PATIENCE);
  }

  @Test
  void isGivenUpWithoutASign() {
    looks.add(this::passPatience);
    assertThatThrownBy(() -> pending.await(PATIENCE)).isInstanceOf(TimeoutException.class);
    assertThat(now).isEqualTo(PATIENCE);
  }

  @Test
  void isWaitedForAsLongAgainAfterEachSign() {
    Runnable nothing = () -> {};
    for (int i = 0; i < 3; i++) {
      looks.addAll(List.of(this::passPatience, pending::sign, nothing));
    }
    looks.add(this::passPatience);
    assertThatThrownBy(() -> pending.await(PATIENCE)).isInstanceOf(TimeoutException.class);
    assertThat(now).isEqualTo(PATIENCE.multipliedBy(4));
  }

  /** Who is interrupted waits for the worker to let go, whatever it answers, but not for ever. */
  @Test
  void itsEndIsAwaitedForAWhile() {
    pending.awaitEnd(Duration.ZERO);
    assertThat(pending.isEnded()).isFalse();
    pending.fail(new Failure(Failure.Kind.CANCELLED, "stopped"));
    pending.awaitEnd(PATIENCE);
    assertThat(pending.isEnded()).isTrue();
  }
}
