package dev.fairlead.units;

import dev.fairlead.device.DeviceKind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * How many sessions the drivers of the host have, as far as their refusals show it. Owned by the
 * scheduler; {@link #learned} is for any thread.
 *
 * <p>A device that refuses has a limit of its own. Some drivers count over all cards of the host,
 * which shows when a second device of the kind refuses as well, or when there is but one: from then
 * on no more units run on devices of that kind than did at that time.
 */
final class Sessions {
  /** What the devices of one kind have in common. */
  private static final class Shared {
    private final SessionLimit limit = SessionLimit.ofSessions();
    private final Set<ServedDevice> refusing = new HashSet<>();
  }

  private final List<ServedDevice> roster;
  private final Map<DeviceKind, Shared> common = new HashMap<>();
  private volatile Map<DeviceKind, Integer> learned = Map.of();

  /**
   * Sessions of devices.
   *
   * @param roster all that there are, now and later
   */
  Sessions(List<ServedDevice> roster) {
    this.roster = roster;
  }

  private Shared of(ServedDevice served) {
    return common.computeIfAbsent(served.device().kind(), kind -> new Shared());
  }

  private Stream<ServedDevice> ofKind(ServedDevice served) {
    return roster.stream().filter(each -> each.device().kind().equals(served.device().kind()));
  }

  /** Units that are on devices of the kind. */
  private int running(ServedDevice served) {
    return ofKind(served).mapToInt(each -> each.attempts().size()).sum();
  }

  /** Whether the device may be given one more unit. */
  boolean allow(ServedDevice served, long now) {
    return common.isEmpty()
        || (served.limit().allows(served.attempts().size(), now)
            && served.memory().allows(served.attempts().size(), now)
            && of(served).limit.allows(running(served), now));
  }

  /** How long it takes until the device may have one more unit, if nothing ends before. */
  long nanosUntilAllowed(ServedDevice served, long now) {
    int here = served.attempts().size();
    return Math.max(
        Math.max(
            served.limit().nanosUntilAllowed(here, now),
            served.memory().nanosUntilAllowed(here, now)),
        of(served).limit.nanosUntilAllowed(running(served), now));
  }

  /** Whether one more unit on the device would be more than was ever taken. */
  boolean areTaken(ServedDevice served) {
    return !common.isEmpty()
        && (served.limit().isReached(served.attempts().size())
            || served.memory().isReached(served.attempts().size())
            || of(served).limit.isReached(running(served)));
  }

  /** How many attempts have ended on devices of the kind so far. */
  long ends(ServedDevice served) {
    return ofKind(served).mapToLong(ServedDevice::ends).sum();
  }

  /**
   * A device has refused a unit, which has left it. Those that have ended since the unit had
   * started there may have had their sessions at that moment, and count as running.
   *
   * @return false if it has refused all that it was given for too long, and nothing that runs
   *     elsewhere explains that
   */
  boolean refused(UnitAttempt attempt, long now) {
    ServedDevice served = attempt.served();
    Shared shared = of(served);
    int running = running(served);
    int endedHere = (int) (served.ends() - attempt.endsHere());
    int ended = (int) (ends(served) - attempt.endsOfKind());
    served.limit().refused(served.attempts().size() + endedHere, now);
    shared.refusing.add(served);
    boolean alone = ofKind(served).filter(ServedDevice::isPresent).count() == 1;
    if (alone || shared.refusing.size() > 1) {
      shared.limit.refused(running + ended, now);
    }
    learn();
    return served.refuses(running > 0, now);
  }

  /** A device had no memory for a unit, which has left it, beside others: it takes one at least. */
  void lackedMemory(UnitAttempt attempt, long now) {
    ServedDevice served = attempt.served();
    Shared _ = of(served); // there are limits from now on
    int endedHere = (int) (served.ends() - attempt.endsHere());
    served.memory().refused(Math.max(1, served.attempts().size() + endedHere), now);
  }

  /**
   * A unit has ended well.
   *
   * @param beyond whether it was one more than were ever taken
   */
  void succeeded(ServedDevice served, boolean beyond) {
    served.succeeded();
    if (common.isEmpty()) {
      return;
    }
    Shared shared = of(served);
    shared.refusing.remove(served);
    if (beyond) {
      // What the host has is not what it was, and so may be what each device was seen to take.
      ofKind(served).forEach(each -> each.limit().forget());
      served.memory().forget();
      shared.limit.forget();
      shared.refusing.clear();
      learn();
    }
  }

  /** How many units run at once on the devices of a kind; not for kinds that refused none. */
  Map<DeviceKind, Integer> learned() {
    return learned;
  }

  private void learn() {
    Map<DeviceKind, Integer> now = new HashMap<>();
    common.forEach((kind, shared) -> {
      OptionalInt most = shared.limit.most();
      if (most.isEmpty()) {
        most = sum(roster.stream().filter(each -> each.device().kind().equals(kind)).toList());
      }
      most.ifPresent(units -> now.put(kind, units));
    });
    learned = Map.copyOf(now);
  }

  /** What devices take together, where each has a limit. */
  private static OptionalInt sum(List<ServedDevice> devices) {
    int sum = 0;
    for (ServedDevice each : devices) {
      if (each.isPresent()) {
        OptionalInt most = each.limit().most();
        if (most.isEmpty()) {
          return most;
        }
        sum += most.getAsInt();
      }
    }
    return OptionalInt.of(sum);
  }
}
