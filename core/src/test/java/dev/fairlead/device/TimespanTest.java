package dev.fairlead.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimespanTest {
  @ParameterizedTest
  @CsvSource({
    "PT0S, 0 ms",
    "PT0.00025S, 0.3 ms",
    "PT0.001S, 1 ms",
    "PT0.25S, 250 ms",
    "PT1S, 1 s",
    "PT1.5S, 1.5 s",
    "PT20S, 20 s",
    "PT59.96S, 1 min",
    "PT2M, 2 min",
    "PT2M5S, 2 min 5 s",
    "PT1H, 1 h",
    "PT26H5M10S, 26 h 5 min",
    "PT-1.5S, -1.5 s"
  })
  void readsAsPeopleWriteIt(String length, String text) {
    assertThat(Timespan.of(Duration.parse(length))).hasToString(text);
  }

  @ParameterizedTest
  @CsvSource({"0.0625, 63 ms", "3, 3 s", "NaN, 0 ms"})
  void takesFiguresInSeconds(double seconds, String text) {
    assertThat(Timespan.ofSeconds(seconds)).hasToString(text);
  }
}
