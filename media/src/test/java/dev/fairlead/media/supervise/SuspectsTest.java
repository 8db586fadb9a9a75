package dev.fairlead.media.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.store.UnitId;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SuspectsTest {
  private static final UnitId ONE = new UnitId("720p", 1);
  private static final UnitId OTHER = new UnitId("360p", 1);
  private static final UnitId TRACK = new UnitId("audio-1", 0);

  private final Suspects suspects = new Suspects();

  private Set<UnitId> diesWith(UnitId... units) {
    for (UnitId unit : units) {
      suspects.enter(unit, unit.equals(TRACK));
    }
    Set<UnitId> victims = suspects.died();
    for (UnitId unit : units) {
      suspects.leave(unit);
    }
    return victims;
  }

  @Test
  void unitsThatWereTogetherAreSuspectsAndNotYetGuilty() {
    for (int crash = 0; crash < 5; crash++) {
      assertThat(diesWith(ONE, OTHER)).containsExactlyInAnyOrder(ONE, OTHER);
    }
    assertThat(suspects.contains(ONE)).isTrue();
    assertThat(suspects.contains(OTHER)).isTrue();
    assertThat(suspects.condemns(ONE)).isFalse();
  }

  @Test
  void aUnitThatWasAloneThreeTimesIsGuiltyOnce() {
    diesWith(ONE);
    diesWith(ONE);
    assertThat(suspects.condemns(ONE)).isFalse();
    diesWith(ONE);
    assertThat(suspects.condemns(ONE)).isTrue();
    assertThat(suspects.condemns(ONE)).isFalse();
  }

  @Test
  void aTrackIsSuspectedOnceThereIsAtMostOneUnitBesideIt() {
    diesWith(ONE, OTHER, TRACK);
    assertThat(suspects.contains(TRACK)).isFalse();
    diesWith(ONE, TRACK);
    assertThat(suspects.contains(TRACK)).isTrue();
  }

  @Test
  void aUnitIsNotGuiltyWhileATrackIsBesideIt() {
    for (int crash = 0; crash < 5; crash++) {
      diesWith(ONE, TRACK);
    }
    assertThat(suspects.condemns(ONE)).isFalse();
    assertThat(suspects.condemns(TRACK)).isFalse();
  }

  @Test
  void whoHangsIsBlamedAlone() {
    suspects.enter(ONE, false);
    suspects.enter(OTHER, false);
    suspects.enter(TRACK, true);
    suspects.blame(Set.of(TRACK));
    assertThat(suspects.died()).containsExactly(TRACK);
    assertThat(suspects.contains(ONE)).isFalse();
  }
}
