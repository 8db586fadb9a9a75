package dev.fairlead.media.encode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** When packets are heard, whatever their times say. */
class SoundClockTest {
  private static final int RATE = 48_000;
  private static final int FRAME = 1_024;
  private static final int MILLI = RATE / 1_000;

  private final SoundClock clock = new SoundClock(RATE, MILLI);

  private long place(long claimed) {
    return clock.place(claimed, FRAME).orElseThrow();
  }

  @Test
  void roundedTimesAreNotFollowed() {
    for (long packet = 0; packet < 20_000; packet++) {
      long rounded = Math.round(packet * FRAME / (double) MILLI) * MILLI;
      assertThat(place(rounded)).isEqualTo(packet * FRAME);
    }
    assertThat(clock.repairs()).isZero();
  }

  @Test
  void aGapIsKeptAndWhatWasHeardIsDropped() {
    place(0);
    assertThat(place(RATE)).isEqualTo(RATE);
    assertThat(clock.place(RATE / 2, FRAME)).isEqualTo(OptionalLong.empty());
    assertThat(place(RATE + FRAME)).isEqualTo(RATE + FRAME);
    assertThat(clock.repairs()).isZero();
  }

  @Test
  void timesThatBeginAgainGoOn() {
    place(10L * RATE);
    assertThat(place(0)).isEqualTo(10L * RATE + FRAME);
    assertThat(place(FRAME)).isEqualTo(10L * RATE + 2 * FRAME);
    assertThat(clock.repairs()).isEqualTo(1);
  }

  @Test
  void aJumpByHoursIsNoGap() {
    place(0);
    assertThat(place(30L * 3_600 * RATE)).isEqualTo(FRAME);
    assertThat(place(30L * 3_600 * RATE + FRAME)).isEqualTo(2 * FRAME);
    assertThat(clock.repairs()).isEqualTo(1);
  }

  @Test
  void aTimeThatIsMissingOrStandsStillIsThatAfterThePacketBefore() {
    assertThat(place(SoundClock.UNKNOWN)).isZero();
    assertThat(place(FRAME)).isEqualTo(FRAME);
    assertThat(place(FRAME)).isEqualTo(2 * FRAME);
    assertThat(place(FRAME)).isEqualTo(3 * FRAME);
    assertThat(place(SoundClock.UNKNOWN)).isEqualTo(4 * FRAME);
  }
}
