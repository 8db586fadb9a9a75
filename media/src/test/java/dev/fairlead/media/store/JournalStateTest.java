package dev.fairlead.media.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.DeviceId;
import dev.fairlead.media.plan.Fingerprint;
import java.util.List;
import org.junit.jupiter.api.Test;

class JournalStateTest {
  private static final UnitId ONE = new UnitId("720p", 1);
  private static final UnitId TWO = new UnitId("720p", 2);
  private static final UnitId THREE = new UnitId("720p", 3);
  private static final UnitId SOUND = new UnitId("audio-1", 0);

  private final JournalState state = new JournalState();

  @Test
  void suspectsUnitsThatWereInFlightWhenTheProcessDied() {
    start(ONE, TWO, THREE, SOUND);
    state.apply(commit(ONE));
    state.apply(new JournalEntry.Failed(TWO, DeviceId.of("cpu:0"), "no memory"));
    state.processDied();

    assertThat(state.suspects()).containsExactly(THREE, SOUND);
    assertThat(state.failures(TWO)).hasSize(1);
    assertThat(state.crashes(THREE)).isZero();
  }

  @Test
  void countsCrashesAndAttempts() {
    start(ONE, TWO);
    state.apply(new JournalEntry.Crashed(List.of(ONE, TWO)));
    start(ONE);
    state.apply(new JournalEntry.Crashed(List.of(ONE)));
    start(TWO);
    state.apply(commit(TWO));

    assertThat(state.suspects()).containsExactly(ONE);
    assertThat(state.crashes(ONE)).isEqualTo(2);
    assertThat(state.crashes(TWO)).isEqualTo(1);
    assertThat(state.attempts(ONE)).isEqualTo(2);

    state.apply(new JournalEntry.Condemned(ONE, List.of("kills its worker")));
    assertThat(state.suspects()).isEmpty();
    assertThat(state.condemned()).containsOnlyKeys(ONE);
  }

  @Test
  void suspectsAUnitWhoseOtherDeviceWentOn() {
    state.apply(new JournalEntry.Started(ONE, DeviceId.of("cpu:0"), 1));
    state.apply(new JournalEntry.Started(ONE, DeviceId.of("cpu:1"), 2));
    state.apply(new JournalEntry.Failed(ONE, DeviceId.of("cpu:0"), "no memory"));
    state.processDied();

    assertThat(state.suspects()).containsExactly(ONE);
  }

  @Test
  void doesNotSuspectWhatIsDoneThoughACloneOfItWasInFlight() {
    state.apply(commit(ONE));
    state.apply(new JournalEntry.Started(ONE, DeviceId.of("cpu:1"), 2));
    state.processDied();

    assertThat(state.suspects()).isEmpty();
  }

  @Test
  void voidsTheChunksOfARungWithANewPromise() {
    state.apply(JournalEntry.Promise.of("720p", new byte[] {1}, new byte[] {1}));
    state.apply(commit(ONE));
    state.apply(commit(SOUND));
    state.apply(JournalEntry.Promise.of("720p", new byte[] {1}, new byte[] {1}));
    assertThat(state.committed()).containsOnlyKeys(ONE, SOUND);

    state.apply(JournalEntry.Promise.of("720p", new byte[] {2}, new byte[] {2}));
    assertThat(state.committed()).containsOnlyKeys(SOUND);
    assertThat(state.promises().get("720p"))
        .satisfies(promise -> assertThat(promise.configBytes()).containsExactly(2));
  }

  @Test
  void aTrackIsCompleteUntilAPieceIsLostOrItIsMadeInAnotherWay() {
    JournalEntry.Sound sound =
        new JournalEntry.Sound("audio-1", "opus", "00", 2, 48_000, 312, 1, List.of("is short"));
    state.apply(JournalEntry.Promise.of("audio-1", new byte[] {1}, new byte[0]));
    state.apply(commit(SOUND));
    state.apply(sound);
    assertThat(state.copy().sounds()).containsEntry("audio-1", sound);
    state.lose(ONE);
    assertThat(state.sounds()).containsKey("audio-1");
    state.lose(SOUND);
    assertThat(state.sounds()).isEmpty();

    state.apply(sound);
    state.apply(JournalEntry.Promise.of("audio-1", new byte[] {2}, new byte[0]));
    assertThat(state.sounds()).isEmpty();
  }

  @Test
  void copiesStayAsTheyAre() {
    start(ONE);
    JournalState copy = state.copy();
    state.apply(new JournalEntry.Begun(Fingerprint.empty()));
    state.apply(commit(ONE));
    state.apply(new JournalEntry.Published("720p/init.mp4", 9, "00"));
    state.apply(new JournalEntry.Finished());

    assertThat(copy.committed()).isEmpty();
    assertThat(copy.fingerprint()).isEmpty();
    assertThat(copy.isFinished()).isFalse();
    assertThat(copy.published()).isEmpty();
    assertThat(state.copy().published()).containsOnlyKeys("720p/init.mp4");
  }

  private void start(UnitId... units) {
    for (UnitId unit : units) {
      state.apply(new JournalEntry.Started(unit, DeviceId.of("cpu:0"), 1));
    }
  }

  private static JournalEntry commit(UnitId unit) {
    return new JournalEntry.Committed(unit, "chunks/" + unit, 60, 1_000, "00");
  }
}
