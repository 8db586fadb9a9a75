package dev.fairlead.media.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.store.UnitId;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SuspectsTest {
  private static final UnitId ONE = new UnitId("720p", 1);
  private static final UnitId OTHER = new UnitId("360p", 1);
  private static final UnitId TRACK = new UnitId("audio-1", 0);

  private final Suspects suspects = new Suspects();

  private Set<UnitId> diesWith(UnitId... units) {
    for (UnitId unit : units) {
      assertThat(suspects.enter(unit, unit.equals(TRACK))).isTrue();
    }
    Set<UnitId> victims = suspects.died();
    for (UnitId unit : units) {
      suspects.leave(unit);
    }
    return victims;
  }

  @Test
  void aSuspectComesInAloneAndOthersComeAgain() {
    suspects.add(Set.of(ONE));
    assertThat(suspects.enter(OTHER, false)).isTrue();
    assertThat(suspects.enter(ONE, false)).isFalse();
    UnitId third = new UnitId("360p", 7);
    assertThat(suspects.enter(third, false)).as("a suspect waits").isFalse();
    assertThat(suspects.enter(TRACK, true)).as("a track takes long").isTrue();
    suspects.leave(OTHER);
    assertThat(suspects.enter(ONE, false)).isTrue();
    assertThat(suspects.enter(third, false)).as("a suspect is inside").isFalse();
    suspects.leave(ONE);
    assertThat(suspects.enter(third, false)).isTrue();
  }

  @Test
  void theCloneOfASuspectThatIsInsideKeepsNoOtherOutAfterIt() {
    suspects.add(Set.of(ONE));
    assertThat(suspects.enter(ONE, false)).isTrue();
    assertThat(suspects.enter(ONE, false)).as("its clone").isFalse();
    suspects.leave(ONE);
    assertThat(suspects.enter(OTHER, false)).isTrue();
  }

  @Test
  void aSuspectThatDoesNotComeAgainKeepsNoOtherOut() {
    AtomicLong now = new AtomicLong();
    Suspects timed = new Suspects(now::get);
    timed.add(Set.of(ONE));
    assertThat(timed.enter(OTHER, false)).isTrue();
    assertThat(timed.enter(ONE, false)).isFalse();
    timed.leave(OTHER);
    assertThat(timed.enter(OTHER, false)).isFalse();
    now.addAndGet(Suspects.CLAIM.toNanos() + 1);
    assertThat(timed.enter(OTHER, false)).isTrue();
  }

  @Test
  void unitsThatWereTogetherAreSuspectsAndNotYetGuilty() {
    assertThat(diesWith(ONE, OTHER)).containsExactlyInAnyOrder(ONE, OTHER);
    assertThat(suspects.contains(ONE)).isTrue();
    assertThat(suspects.contains(OTHER)).isTrue();
    assertThat(suspects.condemns(ONE)).isFalse();
  }

  @Test
  void aUnitThatWasAloneThreeTimesIsGuiltyFromThenOn() {
    diesWith(ONE);
    diesWith(ONE);
    assertThat(suspects.condemns(ONE)).isFalse();
    diesWith(ONE);
    assertThat(suspects.condemns(ONE)).isTrue();
    diesWith(ONE);
    assertThat(suspects.condemns(ONE)).isTrue();
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
    diesWith(ONE);
    diesWith(ONE);
    diesWith(ONE, TRACK);
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
