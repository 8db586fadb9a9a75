package dev.fairlead.media.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.store.UnitId;
import org.junit.jupiter.api.Test;

class BacklogTest {
  private final Backlog backlog = new Backlog(2, 2);

  private void read(String rung, long chunk) {
    backlog.read(new UnitId(rung, chunk));
  }

  @Test
  void isShortWhileALaneReadsNothing() {
    backlog.add(0);
    backlog.add(1);
    assertThat(backlog.isShort()).isTrue();
    read("a", 0);
    assertThat(backlog.isShort()).isTrue();
    read("a", 1);
    assertThat(backlog.isShort()).isFalse();
    backlog.leave();
    assertThat(backlog.isShort()).isTrue();
  }

  @Test
  void isShortWhenEveryUnitHasBegunThoughAllLanesAreBusy() {
    backlog.add(0);
    read("a", 0);
    read("b", 0);
    assertThat(backlog.isShort()).isTrue();
    backlog.add(1);
    assertThat(backlog.isShort()).isFalse();
  }

  @Test
  void aUnitThatIsBegunAgainCountsOnce() {
    backlog.add(0);
    read("a", 0);
    backlog.leave();
    read("a", 0);
    read("a", 0);
    assertThat(backlog.isShort()).isFalse();
  }

  @Test
  void whatIsLeftOfAReleasedChunkIsNoWork() {
    backlog.add(0);
    backlog.add(1);
    read("a", 1);
    read("b", 1);
    assertThat(backlog.isShort()).isFalse();
    backlog.release(0);
    assertThat(backlog.isShort()).isTrue();
  }
}
