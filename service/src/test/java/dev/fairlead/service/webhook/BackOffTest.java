package dev.fairlead.service.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class BackOffTest {
  @Test
  void eachWaitIsTwiceTheOneBeforeUpToAnHour() {
    assertThat(BackOff.after(1)).isEqualTo(Duration.ofSeconds(1));
    for (int attempt = 1; attempt < 200; attempt++) {
      Duration twice = BackOff.after(attempt).multipliedBy(2);
      assertThat(BackOff.after(attempt + 1))
          .isEqualTo(twice.compareTo(Duration.ofHours(1)) < 0 ? twice : Duration.ofHours(1));
    }
  }

  @Test
  void allWaitsAreADay() {
    Duration waited = Duration.ZERO;
    int attempts = 1;
    while (!BackOff.isOver(attempts)) {
      waited = waited.plus(BackOff.after(attempts));
      attempts++;
    }
    assertThat(waited).isBetween(Duration.ofHours(24), Duration.ofHours(25));
  }

  @Test
  void aClockThatWasSetBackMakesNoWaitLonger() {
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    assertThat(BackOff.until(now.plusSeconds(5), now)).isEqualTo(Duration.ofSeconds(5));
    assertThat(BackOff.until(now.plus(Duration.ofDays(400)), now)).isEqualTo(BackOff.LONGEST);
    assertThat(BackOff.until(now, now.plusSeconds(9)).isPositive()).isFalse();
  }
}
