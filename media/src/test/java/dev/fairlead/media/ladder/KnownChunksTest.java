package dev.fairlead.media.ladder;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KnownChunksTest {
  private final KnownChunks order = new KnownChunks();

  @Test
  void chunksAreSettledInOrderWhateverTheOrderOfTheirReports() {
    assertThat(order.add(8)).isTrue();
    assertThat(order.add(0)).isTrue();
    assertThat(order.settle(1)).containsExactly(0L);
    assertThat(order.settled()).containsExactly(0L);
    assertThat(order.add(9)).isTrue();
    assertThat(order.add(3)).isTrue();
    assertThat(order.settle(4)).containsExactly(3L);
    assertThat(order.settled()).containsExactly(0L, 3L);
    assertThat(order.settle(8)).as("8 is not before 8").isEmpty();
    assertThat(order.settle(10)).containsExactly(8L, 9L);
    assertThat(order.settled()).containsExactly(0L, 3L, 8L, 9L);
  }

  @Test
  void aWorkerThatBeginsAgainChangesNothing() {
    order.add(0);
    order.add(1);
    order.settle(2);
    assertThat(order.add(0)).isFalse();
    assertThat(order.settle(1)).isEmpty();
    assertThat(order.settled()).containsExactly(0L, 1L);
    order.add(5);
    assertThat(order.settle(Long.MAX_VALUE)).containsExactly(5L);
    assertThat(order.settled()).containsExactly(0L, 1L, 5L);
  }
}
