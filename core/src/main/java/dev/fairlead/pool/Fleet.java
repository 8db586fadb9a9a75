package dev.fairlead.pool;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.PlacementPolicy;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The devices and the policy of a pool between two changes of either. Immutable but for a cache of
 * views; a change makes another fleet.
 *
 * <p>A device stands at a place, which is what candidates are counted by. A place that a device has
 * left is vacant until another one gets it, so that devices that come and go cost nothing; the
 * number that a device has in the pool, its index, is never given out twice.
 */
final class Fleet {
  private static final int CACHED_VIEWS = 64;

  private final Ledger[] ledgers;
  private final @Nullable Station[] stations;
  private final List<Station> present;
  private final PlacementPolicy policy;
  private final PoolMemory memory;
  private final boolean turns;

  /** Racy on purpose: views are immutable, and losing one costs only making it again. */
  private final @Nullable View[] views = new @Nullable View[CACHED_VIEWS];

  private @Nullable View lastLeased;
  private @Nullable View lastQueued;

  Fleet(Ledger[] ledgers, @Nullable Station[] stations, PlacementPolicy policy, PoolMemory memory) {
    this.ledgers = ledgers;
    this.stations = stations;
    this.present =
        Arrays.stream(stations)
            .filter(Objects::nonNull)
            .sorted(Comparator.comparingInt(station -> station.ledger().index()))
            .toList();
    this.policy = policy;
    this.memory = memory;
    this.turns = policy.memory() == PlacementPolicy.Memory.TURN;
  }

  static Fleet empty(PlacementPolicy policy, PoolMemory memory) {
    return new Fleet(new Ledger[0], new Station[0], policy, memory);
  }

  /** The place that the next device gets. */
  int vacancy() {
    int place = 0;
    while (place < stations.length && stations[place] != null) {
      place++;
    }
    return place;
  }

  /** One more device, at the place that its ledger says. */
  Fleet with(Station station) {
    int place = station.ledger().place();
    int size = Math.max(place + 1, ledgers.length);
    Ledger[] moreLedgers = Arrays.copyOf(ledgers, size);
    @Nullable Station[] moreStations = Arrays.copyOf(stations, size);
    moreLedgers[place] = station.ledger();
    moreStations[place] = station;
    return new Fleet(moreLedgers, moreStations, policy, memory);
  }

  /** The same places, one of them vacant. */
  Fleet without(Station station) {
    int place = station.ledger().place();
    Ledger[] others = ledgers.clone();
    @Nullable Station[] otherStations = stations.clone();
    others[place] = Ledger.vacant(station.ledger(), memory);
    otherStations[place] = null;
    return new Fleet(others, otherStations, policy, memory);
  }

  Fleet with(PlacementPolicy other) {
    return new Fleet(ledgers, stations, other, memory);
  }

  /** The number of places, vacant ones included. */
  int size() {
    return ledgers.length;
  }

  /** All ledgers by place; not to be changed. */
  Ledger[] ledgers() {
    return ledgers;
  }

  Ledger ledger(int index) {
    return ledgers[index];
  }

  Station station(int index) {
    return Objects.requireNonNull(stations[index]);
  }

  boolean isVacant(int index) {
    return stations[index] == null;
  }

  /** Those that are there, in the order in which they came. */
  List<Station> stations() {
    return present;
  }

  List<Device> devices() {
    return stations().stream().map(Station::device).toList();
  }

  boolean has(Station station) {
    int place = station.ledger().place();
    return place < stations.length && stations[place] == station;
  }

  boolean hasAt(Ledger ledger) {
    return ledger.place() < ledgers.length && ledgers[ledger.place()] == ledger;
  }

  boolean has(DeviceId id) {
    return devices().stream().anyMatch(device -> device.id().equals(id));
  }

  Station stationOf(DeviceId id) {
    return stations().stream()
        .filter(station -> station.device().id().equals(id))
        .findFirst()
        .orElseThrow(() ->
            new PoolException.UnknownDevice(
                "No device %s; there are %s"
                    .formatted(id, devices().stream().map(Device::id).toList())));
  }

  Device byOrdinal(DeviceKind kind, int ordinal) {
    return devices().stream()
        .filter(device -> device.kind().equals(kind) && device.ordinal() == ordinal)
        .findFirst()
        .orElseThrow(() ->
            new PoolException.UnknownDevice(
                "No device %s:%d; there are %s".formatted(kind, ordinal, devices())));
  }

  Station stationAt(int index, int given) {
    return present.stream()
        .filter(station -> station.ledger().index() == index)
        .findFirst()
        .orElseThrow(() ->
            new PoolException.BadIndex(
                index >= 0 && index < given
                    ? "The device at index %d was removed".formatted(index)
                    : "No index %d: the pool has given out %d".formatted(index, given)));
  }

  Device next(AtomicInteger turn) {
    List<Device> all = devices();
    if (all.isEmpty()) {
      throw new PoolException.NoDevices("The pool has no devices left");
    }
    return all.get(turn.getAndUpdate(now -> now + 1 < all.size() ? now + 1 : 0) % all.size());
  }

  Device mostFree(long now) {
    return stations().stream()
        .filter(station -> !station.ledger().has(LedgerWord.SHUT))
        .max(Comparator.comparingLong(station -> station.ledger().load(now).freeBytes()))
        .map(Station::device)
        .orElseThrow(() ->
            new PoolException.NoDevices("No device of the pool serves at present: " + devices()));
  }

  PlacementPolicy policy() {
    return policy;
  }

  /** Whether the policy goes by turns, which are taken by a compare-and-set of their own. */
  boolean takesTurns() {
    return turns;
  }

  PoolMemory memory() {
    return memory;
  }

  /**
   * The view for a demand; the same one as long as the demand object and the fleet are the same.
   */
  View view(Demand demand, EntryMode mode) {
    View recent = mode == EntryMode.QUEUE ? lastQueued : lastLeased;
    return recent != null && recent.isFor(demand, mode) ? recent : find(demand, mode);
  }

  private View find(Demand demand, EntryMode mode) {
    int slot = (System.identityHashCode(demand) + mode.ordinal()) & (CACHED_VIEWS - 1);
    View view = views[slot];
    if (view == null || !view.isFor(demand, mode)) {
      view = new View(this, demand, mode);
      views[slot] = view;
    }
    if (mode == EntryMode.QUEUE) {
      lastQueued = view;
    } else {
      lastLeased = view;
    }
    return view;
  }
}
