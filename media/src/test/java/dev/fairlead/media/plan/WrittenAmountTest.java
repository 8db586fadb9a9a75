package dev.fairlead.media.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fairlead.media.source.Rational;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WrittenAmountTest {
  @Test
  void readsAmountsOfMemory() {
    assertThat(WrittenAmount.bytes("65536")).isEqualTo(65_536);
    assertThat(WrittenAmount.bytes("4k")).isEqualTo(4_096);
    assertThat(WrittenAmount.bytes("1.5M")).isEqualTo(1_572_864);
    assertThat(WrittenAmount.bytes("2g")).isEqualTo(2_147_483_648L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "k", "-1", "0", "1t", "0.3", "1e30g", "99999999999g"})
  void refusesWhatIsNoAmount(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> WrittenAmount.bytes(text));
  }

  @Test
  void readsTimes() {
    assertThat(WrittenAmount.time("90.5")).isEqualTo(Duration.ofMillis(90_500));
    assertThat(WrittenAmount.time("1:30")).isEqualTo(Duration.ofSeconds(90));
    assertThat(WrittenAmount.time("1:00:00.25")).isEqualTo(Duration.ofMillis(3_600_250));
    assertThat(WrittenAmount.time("90s")).isEqualTo(Duration.ofSeconds(90));
    assertThat(WrittenAmount.time("1m30.5s")).isEqualTo(Duration.ofMillis(90_500));
    assertThat(WrittenAmount.time("2 min 5 s")).isEqualTo(Duration.ofSeconds(125));
    assertThat(WrittenAmount.time("1h")).isEqualTo(Duration.ofHours(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "x", "-3", "1:-2", "1:2:3:4", ":", "1e40", "5x", "1s2m", "-1s"})
  void refusesWhatIsNoTime(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> WrittenAmount.time(text));
  }

  @Test
  void readsFrameRates() {
    assertThat(WrittenAmount.rate("30")).isEqualTo(new Rational(30_000, 1_000));
    assertThat(WrittenAmount.rate("23.976")).isEqualTo(new Rational(23_976, 1_000));
    assertThat(WrittenAmount.rate("30000/1001")).isEqualTo(new Rational(30_000, 1_001));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "fast", "1/0", "1/2/3", "29.97001"})
  void refusesWhatIsNoRate(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> WrittenAmount.rate(text));
  }
}
