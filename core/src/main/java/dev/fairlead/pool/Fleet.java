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
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The devices and the policy of a pool between two changes of either. Immutable but for a cache of
 * views; a change makes another fleet.
 */
final class Fleet {
  private static final int CACHED_VIEWS = 64;

  private final Ledger[] ledgers;
  private final @Nullable Station[] stations;
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
    this.policy = policy;
    this.memory = memory;
    this.turns = policy.memory() == PlacementPolicy.Memory.TURN;
  }

  static Fleet empty(PlacementPolicy policy, PoolMemory memory) {
    return new Fleet(new Ledger[0], new Station[0], policy, memory);
  }

  Fleet with(Station station) {
    Ledger[] moreLedgers = Arrays.copyOf(ledgers, ledgers.length + 1);
    @Nullable Station[] moreStations = Arrays.copyOf(stations, stations.length + 1);
    moreLedgers[ledgers.length] = station.ledger();
    moreStations[stations.length] = station;
    return new Fleet(moreLedgers, moreStations, policy, memory);
  }

  /** The same indices, one of them vacant from now on. */
  Fleet without(Station station) {
    int index = station.ledger().index();
    Ledger[] others = ledgers.clone();
    @Nullable Station[] otherStations = stations.clone();
    others[index] = Ledger.vacant(index, station.device(), memory.floors());
    otherStations[index] = null;
    return new Fleet(others, otherStations, policy, memory);
  }

  Fleet with(PlacementPolicy other) {
    return new Fleet(ledgers, stations, other, memory);
  }

  /** The number of indices, vacant ones included. */
  int size() {
    return ledgers.length;
  }

  /** All ledgers by index; not to be changed. */
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

  List<Station> stations() {
    return IntStream.range(0, stations.length)
        .filter(index -> stations[index] != null)
        .mapToObj(this::station)
        .toList();
  }

  List<Device> devices() {
    return stations().stream().map(Station::device).toList();
  }

  boolean has(Station station) {
    return stations[station.ledger().index()] == station;
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

  Device byIndex(int index) {
    boolean inside = index >= 0 && index < size();
    if (!inside || isVacant(index)) {
      throw new PoolException.BadIndex(
          inside
              ? "The device at index %d was removed".formatted(index)
              : "No index %d: the pool has given out %d".formatted(index, size()));
    }
    return station(index).device();
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
  View view(Demand demand, View.Mode mode) {
    View recent = mode == View.Mode.QUEUE ? lastQueued : lastLeased;
    return recent != null && recent.isFor(demand, mode) ? recent : find(demand, mode);
  }

  private View find(Demand demand, View.Mode mode) {
    int slot = (System.identityHashCode(demand) + mode.ordinal()) & (CACHED_VIEWS - 1);
    View view = views[slot];
    if (view == null || !view.isFor(demand, mode)) {
      view = new View(this, demand, mode);
      views[slot] = view;
    }
    if (mode == View.Mode.QUEUE) {
      lastQueued = view;
    } else {
      lastLeased = view;
    }
    return view;
  }
}
