package dev.fairlead.media.av;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Where times begin again, and where they only seem to. */
class SeamsTest {
  private static final long SECOND = 1_000_000;
  private static final long FRAME = 40_000;

  private final Seams seams = new Seams();

  @Test
  void eachTrackIsShiftedWhenItComesToTheSeam() {
    for (int frame = 0; frame < 50; frame++) {
      assertThat(seams.shift(0, frame * FRAME, FRAME)).isZero();
      assertThat(seams.shift(1, frame * FRAME, FRAME)).isZero();
    }
    assertThat(seams.shift(0, 0, FRAME)).isEqualTo(2 * SECOND);
    assertThat(seams.shift(1, 2 * SECOND, FRAME)).as("not there yet").isZero();
    assertThat(seams.shift(1, 0, FRAME)).isEqualTo(2 * SECOND);
    assertThat(seams.shift(0, FRAME, FRAME)).isEqualTo(2 * SECOND);
    assertThat(seams.shift()).as("a track without times").isEqualTo(2 * SECOND);
    assertThat(seams.count()).isEqualTo(1);
  }

  @Test
  void picturesThatAreRareAreNoSeamWhileSoundGoesOn() {
    seams.shift(0, 0, FRAME);
    for (long time = 0; time < 30 * SECOND; time += FRAME) {
      seams.shift(1, time, FRAME);
    }
    assertThat(seams.shift(0, 30 * SECOND, FRAME)).isZero();
    assertThat(seams.count()).isZero();
  }

  @Test
  void aJumpAheadOfAllTracksIsASeam() {
    seams.shift(0, 0, FRAME);
    seams.shift(1, 0, FRAME);
    long ahead = 100 * SECOND;
    assertThat(seams.shift(0, ahead, FRAME)).isEqualTo(FRAME - ahead);
    assertThat(seams.shift(1, ahead + FRAME, FRAME)).isEqualTo(FRAME - ahead);
    assertThat(seams.count()).isEqualTo(1);
  }

  @Test
  void aPacketWithoutATimeIsWhereItsTrackIs() {
    seams.shift(0, 10 * SECOND, FRAME);
    seams.shift(0, 0, FRAME);
    assertThat(seams.shift(0, Seams.UNKNOWN, FRAME)).isEqualTo(10 * SECOND + FRAME);
  }
}
