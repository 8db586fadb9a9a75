package dev.fairlead.media.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Profile;
import dev.fairlead.media.choice.FramesChoice;
import dev.fairlead.media.host.CardPlaces.Card;
import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.plan.Memory;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.pool.DevicePool;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class CardPlacesTest {
  private static final Card UNKNOWN = card(OptionalLong.empty(), OptionalInt.empty());

  private static Card card(OptionalLong freeBytes, OptionalInt sessions) {
    return new Card(DeviceKind.SIMULATED, freeBytes, sessions);
  }

  private static CardPlaces places(List<Card> cards, boolean lanes) {
    return new CardPlaces(cards, lanes, Map.of());
  }

  private static Card withBytes(long free) {
    return card(OptionalLong.of(free), OptionalInt.empty());
  }

  private static Card withSessions(int sessions) {
    return card(OptionalLong.empty(), OptionalInt.of(sessions));
  }

  @Test
  void whatIsNotKnownForbidsNothing() {
    assertThat(places(List.of(UNKNOWN), false).allow(100)).isTrue();
    assertThat(places(List.of(), true).allow(100)).isTrue();
  }

  @Test
  void aContextHasToFitOnEachCard() {
    Card large = withBytes(Memory.DRIVER);
    Card full = withBytes(Memory.DRIVER - 1);
    assertThat(places(List.of(large, large, UNKNOWN), false).allow(3)).isTrue();
    assertThat(places(List.of(large, full), false).allow(3)).isFalse();
    assertThat(places(List.of(large, full), true).allow(3)).isFalse();
  }

  @Test
  void theFirstJobIsNotHeldBack() {
    assertThat(places(List.of(withBytes(0), withSessions(0)), false).allow(0)).isTrue();
  }

  @Test
  void noMoreJobsRunThanThereAreSessionsUnlessLanesEncodeAsWell() {
    List<Card> cards = List.of(withSessions(2), withSessions(1));
    assertThat(places(cards, false).allow(2)).isTrue();
    assertThat(places(cards, false).allow(3)).isFalse();
    assertThat(places(cards, true).allow(3)).isTrue();
  }

  @Test
  void sessionsThatWereRefusedCountWhereFewerWereProvenOrNone() {
    Map<DeviceKind, Integer> learned = Map.of(DeviceKind.SIMULATED, 3);
    CardPlaces unproven = new CardPlaces(List.of(UNKNOWN, UNKNOWN), false, learned);
    assertThat(unproven.allow(2)).isTrue();
    assertThat(unproven.allow(3)).isFalse();
    List<Card> proven = List.of(withSessions(2), withSessions(2));
    assertThat(new CardPlaces(proven, false, learned).allow(3)).isFalse();
    assertThat(new CardPlaces(List.of(withSessions(2)), false, learned).allow(2)).isFalse();
    assertThat(new CardPlaces(proven, true, learned).allow(3)).isTrue();
    Card other = new Card(DeviceKind.CUDA, OptionalLong.empty(), OptionalInt.empty());
    assertThat(new CardPlaces(List.of(UNKNOWN, other), false, learned).allow(3)).isTrue();
  }

  @Test
  void sessionsAreThoseThatWereProven() {
    Device card = Device.of(DeviceKind.SIMULATED, 0);
    Profile.Proven proven =
        new Profile.Proven(
            new Profile.Key("0000:3b:00.0", "driver", "codecs"),
            OptionalInt.empty(),
            OptionalInt.of(2),
            false,
            List.of());
    try (DevicePool pool = DevicePool.of(List.of(card))) {
      CardPlaces places =
          CardPlaces.of(
              new JobOptions.Fleet(
                  pool,
                  ServicePolicies.anyRung(),
                  List::of,
                  Map.of(card.id(), proven),
                  FramesChoice.AUTO),
              Map.of());
      assertThat(places.lanes()).isFalse();
      assertThat(places.cards()).containsExactly(withSessions(2));
      assertThat(places.allow(2)).isFalse();
    }
  }
}
