package dev.fairlead.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EventNumbersTest {
  private final EventNumbers numbers = new EventNumbers();

  private String event(long number, String name) {
    numbers.take("id: b-" + number);
    numbers.take("event: " + name);
    numbers.take("data: {}");
    return numbers.take("");
  }

  @Test
  void aGapIsCountedUnlessItIsTold() {
    event(1, "started");
    assertThat(event(2, "committed")).isEqualTo("committed");
    assertThat(numbers.take(": here")).isEmpty();
    assertThat(numbers.take("")).isEmpty();
    assertThat(numbers.lost()).isZero();
    event(5, "progress");
    assertThat(numbers.lost()).isEqualTo(2);
    event(9, "reset");
    event(9, "state");
    event(9, "state");
    event(10, "started");
    assertThat(numbers.lost()).isEqualTo(2);
    event(12, "started");
    assertThat(numbers.lost()).isEqualTo(3);
    assertThat(numbers.last()).isEqualTo("b-12");
  }
}
