package dev.fairlead.media.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.store.UnitId;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnclaimedUnitsTest {
  private final UnclaimedUnits backlog = new UnclaimedUnits(2, List.of(new UnitId("a", 7)));

  private void begin(String rung, long chunk) {
    backlog.begin(new UnitId(rung, chunk));
  }

  @Test
  void isEmptyUntilAChunkBeginsAndWhenEachOfItsUnitsHas() {
    assertThat(backlog.isEmpty()).isTrue();
    backlog.add(0);
    assertThat(backlog.isEmpty()).isFalse();
    begin("a", 0);
    assertThat(backlog.isEmpty()).isFalse();
    begin("b", 0);
    assertThat(backlog.isEmpty()).isTrue();
    backlog.add(1);
    assertThat(backlog.isEmpty()).isFalse();
  }

  @Test
  void aUnitThatIsBegunAgainCountsOnce() {
    backlog.add(0);
    begin("a", 0);
    begin("a", 0);
    assertThat(backlog.isEmpty()).isFalse();
  }

  @Test
  void whatAnEarlierRunHasDoneIsNoWork() {
    backlog.add(7);
    assertThat(backlog.isEmpty()).isFalse();
    begin("b", 7);
    assertThat(backlog.isEmpty()).isTrue();
  }

  @Test
  void whatIsLeftOfAReleasedChunkIsNoWork() {
    backlog.add(0);
    begin("a", 0);
    assertThat(backlog.isEmpty()).isFalse();
    backlog.release(0);
    assertThat(backlog.isEmpty()).isTrue();
  }
}
