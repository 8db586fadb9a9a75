package dev.fairlead.media.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LadderSpecTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "auto",
        "1080p,720p,360p",
        "1280x720@crf30,640x360@crf34@maxrate800000",
        "720p@maxrate2500000"
      })
  void isWrittenAsItIsRead(String text) {
    assertThat(LadderSpec.parse(text)).hasToString(text);
  }

  @Test
  void isReadWithSpacesCapitalsAndUnits() {
    assertThat(LadderSpec.parse(" 1080P , 1280X720@CRF30@maxrate2.5M"))
        .hasToString("1080p,1280x720@crf30@maxrate2500000");
    assertThat(LadderSpec.parse(" Auto ")).isEqualTo(LadderSpec.auto());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "72op|Rung 1 of the ladder, \"72op\", has no size; write auto, or rungs such as",
        "1080p,,360p|Rung 2 of the ladder, \"\", has no size",
        "1080p,720|Rung 2 of the ladder, \"720\", has no size",
        "720p@crf|is not understood at \"@crf\"",
        "720p@crf30@crf31|is not understood at \"@crf31\"; after the size come @crf and @maxrate",
        "720p@crf99|has 99, which is not from 0 to 63",
        "8p|has 8, which is not from 16 to 16384",
        "999999999x2|has 999999999, which is not from 16 to 16384",
        "720p@maxrate5G|has a maxrate that is \"5G\"; write bits a second, such as 800k",
        "720p@maxrate1|it can be from 1k to 10000M",
      })
  void saysWhatIsWrongAndWhere(String text, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LadderSpec.parse(text))
        .withMessageContaining(message);
  }

  @Test
  void maxratesAreForAllRungsOrForNamedOnes() {
    MaxRates rates = MaxRates.parse("6M, 720p=2.5M,360p=800k");

    assertThat(rates.of("1080p")).hasValue(6_000_000);
    assertThat(rates.of("720p")).hasValue(2_500_000);
    assertThat(MaxRates.parse("720p=1M").of("1080p")).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MaxRates.parse("720p=1M,720p=2M"))
        .withMessageContaining("twice");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MaxRates.parse("1M,2M"))
        .withMessageContaining("at \"2M\"");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MaxRates.parse("720p=x"))
        .withMessageContaining("The maxrate of 720p is \"x\"");
  }
}
