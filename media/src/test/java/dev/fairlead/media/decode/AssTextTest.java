package dev.fairlead.media.decode;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AssTextTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0,0,Default,,0,0,0,,Hello              | Hello
          0,0,Default,,0,0,0,,Yes, well          | Yes, well
          0,0,Default,,0,0,0,,{\\i1}So{\\i0} it is | So it is
          0,0,Default,,0,0,0,,a {not closed      | a {not closed
          0,0,Default,,0,0,0,,one\\htwo           | one two
          0,0,Default,,0,0,0,,a{\\p1}m 0 0 l 9 9{\\p0}b | ab
          0,0,Default,,0,0,0,,{\\an7\\p2}m 0 0 l 9 9 | ''
          0,0,Default,,0,0,0,,{\\pos(1,2)}there   | there
          no fields                              | no fields
          """)
  void whatIsShownIsLeft(String dialogue, String shown) {
    assertThat(AssText.plain(dialogue)).isEqualTo(shown);
  }

  @Test
  void linesAreBroken() {
    assertThat(AssText.plain("0,0,D,,0,0,0,,one\\Ntwo\\nthree")).isEqualTo("one\ntwo\nthree");
    assertThat(AssText.plain("0,0,D,,0,0,0,,")).isEmpty();
    assertThat(AssText.plain("")).isEmpty();
  }
}
