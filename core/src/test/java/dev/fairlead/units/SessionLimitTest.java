package dev.fairlead.units;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SessionLimitTest {
  private final SessionLimit limit = SessionLimit.ofSessions();
  private long now;

  private void pass(Duration time) {
    now += time.toNanos();
  }

  @Test
  void anyNumberIsTriedUntilOneIsRefused() {
    assertThat(limit.allows(1000, now)).isTrue();
    assertThat(limit.isReached(1000)).isFalse();
  }

  @Test
  void noMoreThanRanAreTriedForAWhileAndThenOne() {
    limit.refused(3, now);
    assertThat(limit.allows(2, now)).isTrue();
    assertThat(limit.allows(3, now)).isFalse();
    pass(Duration.ofMillis(499));
    assertThat(limit.allows(3, now)).isFalse();
    pass(Duration.ofMillis(1));
    assertThat(limit.allows(3, now)).isTrue();
    assertThat(limit.allows(4, now)).isFalse();
  }

  @Test
  void whatIsRefusedAgainRestsTwiceAsLongUpToTenSeconds() {
    limit.refused(3, now);
    for (long millis : new long[] {1000, 2000, 4000, 8000, 10_000, 10_000}) {
      limit.refused(3, now);
      pass(Duration.ofMillis(millis - 1));
      assertThat(limit.allows(3, now)).as("before %d ms", millis).isFalse();
      pass(Duration.ofMillis(1));
      assertThat(limit.allows(3, now)).as("after %d ms", millis).isTrue();
    }
  }

  @Test
  void fewerThanBeforeIsAnotherLimitThatRestsAsAtFirst() {
    limit.refused(3, now);
    limit.refused(3, now);
    limit.refused(1, now);
    assertThat(limit.allows(1, now)).isFalse();
    pass(Duration.ofMillis(500));
    assertThat(limit.allows(1, now)).isTrue();
    assertThat(limit.allows(2, now)).isFalse();
  }

  @Test
  void aLimitThatIsForgottenHoldsNothingBack() {
    limit.refused(0, now);
    limit.forget();
    assertThat(limit.allows(7, now)).isTrue();
  }
}
