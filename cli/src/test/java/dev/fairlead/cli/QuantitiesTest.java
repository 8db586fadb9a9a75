package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fairlead.media.source.Rational;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuantitiesTest {
  @Test
  void readsAmountsOfMemory() {
    assertThat(Quantities.bytes("65536")).isEqualTo(65_536);
    assertThat(Quantities.bytes("4k")).isEqualTo(4_096);
    assertThat(Quantities.bytes("1.5M")).isEqualTo(1_572_864);
    assertThat(Quantities.bytes("2g")).isEqualTo(2_147_483_648L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "k", "-1", "0", "1t", "0.3", "1e30g", "99999999999g"})
  void refusesWhatIsNoAmount(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> Quantities.bytes(text));
  }

  @Test
  void readsTimes() {
    assertThat(Quantities.time("90.5")).isEqualTo(Duration.ofMillis(90_500));
    assertThat(Quantities.time("1:30")).isEqualTo(Duration.ofSeconds(90));
    assertThat(Quantities.time("1:00:00.25")).isEqualTo(Duration.ofMillis(3_600_250));
    assertThat(Quantities.time("90s")).isEqualTo(Duration.ofSeconds(90));
    assertThat(Quantities.time("1m30.5s")).isEqualTo(Duration.ofMillis(90_500));
    assertThat(Quantities.time("2 min 5 s")).isEqualTo(Duration.ofSeconds(125));
    assertThat(Quantities.time("1h")).isEqualTo(Duration.ofHours(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "x", "-3", "1:-2", "1:2:3:4", ":", "1e40", "5x", "1s2m", "-1s"})
  void refusesWhatIsNoTime(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> Quantities.time(text));
  }

  @Test
  void readsFrameRates() {
    assertThat(Quantities.rate("30")).isEqualTo(new Rational(30_000, 1_000));
    assertThat(Quantities.rate("23.976")).isEqualTo(new Rational(23_976, 1_000));
    assertThat(Quantities.rate("30000/1001")).isEqualTo(new Rational(30_000, 1_001));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "fast", "1/0", "1/2/3", "29.97001"})
  void refusesWhatIsNoRate(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> Quantities.rate(text));
  }

  @Test
  void writesSizesAndTimesForPeople() {
    assertThat(Quantities.size(999)).isEqualTo("999 B");
    assertThat(Quantities.size(1_400_000)).isEqualTo("1.4 MB");
    assertThat(Quantities.size(999_960)).isEqualTo("1.0 MB");
    assertThat(Quantities.clock(8.34)).isEqualTo("8.3 s");
    assertThat(Quantities.clock(125)).isEqualTo("2:05");
    assertThat(Quantities.clock(3_725)).isEqualTo("1:02:05");
  }
}
