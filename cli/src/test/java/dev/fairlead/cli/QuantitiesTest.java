package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.report.Quantities;
import org.junit.jupiter.api.Test;

class QuantitiesTest {
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
