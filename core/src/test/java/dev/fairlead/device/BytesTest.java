package dev.fairlead.device;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BytesTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0 bytes",
    "1, 1 byte",
    "-1, -1 bytes",
    "9999, 9999 bytes",
    "10000, 9.8 KiB",
    "1048576, 1 MiB",
    "1048575, 1 MiB",
    "1610612736, 1.5 GiB",
    "8589934592, 8 GiB",
    "25300107264, 23.6 GiB",
    "1125899906842624, 1 PiB",
    "9223372036854775807, 8 EiB"
  })
  void areReadInTheUnitThatFits(long count, String text) {
    assertThat(Bytes.of(count)).hasToString(text);
  }

  @Test
  void areReadExactlyBesideOthersThatReadTheSame() {
    Bytes total = Bytes.of(8L << 30);

    assertThat(total.besides(Bytes.of(16L << 30))).isEqualTo("8 GiB");
    assertThat(total.besides(Bytes.of((8L << 30) + 1))).isEqualTo("8589934592 bytes");
    assertThat(Bytes.of((8L << 30) + 1).besides(total)).isEqualTo("8589934593 bytes");
  }
}
