package dev.fairlead.media.host;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Profile;
import dev.fairlead.lease.PoolException;
import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.plan.Memory;
import dev.fairlead.policy.Load;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * Whether cards have room for the worker of one more job: a context on each of them, and an encoder
 * session where all encode on cards. What is not known of a card forbids nothing.
 *
 * @param cards those that encode
 * @param lanes whether lanes of the processor encode as well, which need no session
 * @param learned by kind of card, how many sessions all of them open at once, as refusals show
 */
public record CardPlaces(List<Card> cards, boolean lanes, Map<DeviceKind, Integer> learned) {
  /**
   * What is known of a card.
   *
   * @param freeBytes of its memory, at present
   * @param sessions encoders that it opens at once, as was proven
   */
  public record Card(DeviceKind kind, OptionalLong freeBytes, OptionalInt sessions) {}

  public CardPlaces {
    cards = List.copyOf(cards);
    learned = Map.copyOf(learned);
  }

  /** As the devices of a fleet are now. */
  public static CardPlaces of(JobOptions.Fleet fleet, Map<DeviceKind, Integer> learned) {
    List<Card> cards = new ArrayList<>();
    boolean lanes = false;
    for (Device device : fleet.pool().devices()) {
      if (device.kind().equals(DeviceKind.CPU)) {
        lanes = true;
      } else {
        OptionalInt sessions =
            Optional.ofNullable(fleet.proven().get(device.id()))
                .map(Profile.Proven::sessions)
                .orElse(OptionalInt.empty());
        cards.add(new Card(device.kind(), freeBytes(fleet, device), sessions));
      }
    }
    return new CardPlaces(cards, lanes, learned);
  }

  private static OptionalLong freeBytes(JobOptions.Fleet fleet, Device device) {
    try {
      Load load = fleet.pool().load(device.id());
      return load.sequence() > 0 ? OptionalLong.of(load.freeBytes()) : OptionalLong.empty();
    } catch (PoolException gone) {
      return OptionalLong.empty();
    }
  }

  /** Whether one more job may start beside so many; the first always may. */
  public boolean allow(int running) {
    return running == 0 || (haveMemory() && running < mostBySessions());
  }

  private boolean haveMemory() {
    return cards.stream().allMatch(card -> card.freeBytes.orElse(Long.MAX_VALUE) >= Memory.DRIVER);
  }

  /** Every job that runs needs a session now and then, and a trial of its encoders at its start. */
  private long mostBySessions() {
    if (lanes) {
      return Long.MAX_VALUE;
    }
    long most = 0;
    for (Map.Entry<DeviceKind, List<Card>> kind :
        cards.stream().collect(Collectors.groupingBy(Card::kind)).entrySet()) {
      long more = Math.min(proven(kind.getValue()), learned(kind.getKey()));
      if (more == Long.MAX_VALUE) {
        return more;
      }
      most += more;
    }
    return cards.isEmpty() ? Long.MAX_VALUE : most;
  }

  private static long proven(List<Card> cards) {
    return cards.stream().anyMatch(card -> card.sessions.isEmpty())
        ? Long.MAX_VALUE
        : cards.stream().mapToLong(card -> card.sessions.getAsInt()).sum();
  }

  private long learned(DeviceKind kind) {
    Integer most = learned.get(kind);
    return most == null ? Long.MAX_VALUE : most;
  }
}
