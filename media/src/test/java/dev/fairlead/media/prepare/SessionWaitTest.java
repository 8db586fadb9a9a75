package dev.fairlead.media.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.media.supervise.FailedException;
import dev.fairlead.media.wire.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SessionWaitTest {
  private final List<Duration> slept = new ArrayList<>();
  private final AtomicInteger asked = new AtomicInteger();

  private final SessionWait usual =
      new SessionWait(SessionWait.usual().tries(), SessionWait.usual().pause(), slept::add);

  private int refused(Failure.Kind kind, int times) {
    if (asked.incrementAndGet() <= times) {
      throw new FailedException(new Failure(kind, "refused"));
    }
    return asked.get();
  }

  private Duration waited() {
    return slept.stream().reduce(Duration.ZERO, Duration::plus);
  }

  @Test
  void asksAgainUntilThereIsASession() throws Exception {
    assertThat(usual.<Integer>ask(() -> refused(Failure.Kind.BUSY, 3))).isEqualTo(4);
    assertThat(waited()).isEqualTo(Duration.ofMillis(1500));
  }

  @Test
  void givesUpAfterTenSeconds() {
    assertThatThrownBy(() -> usual.ask(() -> refused(Failure.Kind.BUSY, Integer.MAX_VALUE)))
        .isInstanceOfSatisfying(
            FailedException.class,
            failed -> assertThat(failed.failure().kind()).isEqualTo(Failure.Kind.BUSY));
    assertThat(waited()).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void waitsForNothingButASession() {
    assertThatThrownBy(() -> usual.ask(() -> refused(Failure.Kind.DEVICE, 1)))
        .isInstanceOf(FailedException.class);
    assertThat(asked).hasValue(1);
    assertThat(slept).isEmpty();
  }
}
