package dev.fairlead.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DecayedRateTest {
  private static final long MILLISECOND = Duration.ofMillis(1).toNanos();
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final DecayedRate rate = new DecayedRate();
  private long now;

  @Test
  void isNotANumberWhileNothingWasMeasured() {
    assertThat(rate.perSecond()).isNaN();
  }

  @Test
  void readsTwentyASecondWhereItemsTakeOneAndNinetyNineMillisecondsInTurn() {
    MovingAverage meanOfRates = new MovingAverage();
    for (int pair = 0; pair < 1_000; pair++) {
      run(1, MILLISECOND);
      meanOfRates.add(1_000);
      run(1, 99 * MILLISECOND);
      meanOfRates.add(1_000.0 / 99);
    }

    assertThat(rate.perSecond()).isCloseTo(20, within(0.1));
    assertThat(meanOfRates.value()).as("what the mean of rates says").isCloseTo(479, within(1.0));
  }

  @Test
  void countsTheSizeOfTheWork() {
    run(500, 2 * SECOND);

    assertThat(rate.perSecond()).isCloseTo(250, within(1e-9));
  }

  @Test
  void dropsWhenTimeIsSpentOnWorkThatFailed() {
    run(10, SECOND);
    run(0, SECOND);

    assertThat(rate.perSecond()).isCloseTo(5, within(0.2));
  }

  @Test
  void isNotMeasuredByFailuresAlone() {
    run(0, SECOND);

    assertThat(rate.perSecond()).isNaN();
  }

  @Test
  void isNotMeasuredByWorkThatTookNoTime() {
    run(1, 0);
    assertThat(rate.perSecond()).isNaN();

    rate.add(1, -SECOND, now);
    assertThat(rate.perSecond()).as("time does not run backwards").isNaN();

    run(2, SECOND);
    assertThat(rate.perSecond()).isPositive();
  }

  @Test
  void forgetsByTimeAndNotByTheNumberOfItems() {
    for (int item = 0; item < 1_000; item++) {
      run(1, MILLISECOND);
    }
    now += 150 * SECOND;
    run(1, SECOND);

    // Five time constants leave less than a hundredth of the thousand fast items: at most 7 of
    // them count beside the slow one. Without decay it would read 500.
    assertThat(rate.perSecond()).isBetween(1.0, 9.0);
  }

  @Test
  void keepsTwoThirdsOfThePastForTenSecondsAndOneThirdForThirty() {
    assertThat(afterPause(10)).isCloseTo(mixed(Math.exp(-1 / 3.0)), within(1.0));
    assertThat(afterPause(30)).isCloseTo(mixed(Math.exp(-1)), within(1.0));
  }

  /** 100/s for a second, a pause, and one second of 10/s. */
  private static double afterPause(int seconds) {
    DecayedRate rate = new DecayedRate();
    rate.add(100, SECOND, SECOND);
    rate.add(10, SECOND, (1L + seconds) * SECOND);
    return rate.perSecond();
  }

  private static double mixed(double left) {
    return (100 * left + 10) / (left + 1);
  }

  @Test
  void readsTheSameHoweverOftenTheDecayIsApplied() {
    DecayedRate coarse = new DecayedRate();
    for (int second = 1; second <= 60; second++) {
      double speed = second <= 30 ? 100 : 10;
      coarse.add(speed, SECOND, second * SECOND);
      for (int part = 0; part < 1_000; part++) {
        run(speed / 1_000, MILLISECOND);
      }
    }

    assertThat(rate.perSecond()).isCloseTo(coarse.perSecond(), within(1.0));
  }

  @Test
  void doesNotMindAClockThatWrapsAround() {
    now = Long.MAX_VALUE - SECOND;
    run(10, SECOND);
    run(10, SECOND);
    run(10, SECOND);

    assertThat(rate.perSecond()).isCloseTo(10, within(1e-6));
  }

  /** Runs an item until {@code now}, one after the other. */
  private void run(double size, long nanos) {
    now += nanos;
    rate.add(size, nanos, now);
  }
}
