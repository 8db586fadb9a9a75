package dev.fairlead.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChoiceTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 255, 65_536, Integer.MAX_VALUE - 1, Integer.MAX_VALUE})
  void carriesAnIndexAndABurden(int number) {
    for (int other : new int[] {0, 7, Integer.MAX_VALUE}) {
      long choice = Choice.of(number, other);

      assertThat(Choice.isPlaced(choice)).isTrue();
      assertThat(Choice.index(choice)).isEqualTo(number);
      assertThat(Choice.burden(choice)).isEqualTo(other);
    }
    assertThat(Choice.of(number)).as("at any burden").isEqualTo(Choice.of(number, 0x7fffffff));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 255, Integer.MAX_VALUE})
  void namesTheDeviceToWaitFor(int index) {
    long choice = Choice.waitFor(index);

    assertThat(Choice.isPlaced(choice)).isFalse();
    assertThat(choice).isNotEqualTo(Choice.NONE);
    assertThat(Choice.index(choice)).isEqualTo(index);
  }

  @Test
  void namesNobodyToWaitFor() {
    assertThat(Choice.isPlaced(Choice.NONE)).isFalse();
    assertThat(Choice.index(Choice.NONE)).isEqualTo(-1);
  }
}
