package dev.fairlead.pool;

import dev.fairlead.policy.Demand;
import dev.fairlead.policy.PlacementPolicy;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
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

  /** Racy on purpose: views are immutable, and losing one costs only making it again. */
  private final @Nullable View[] views = new @Nullable View[CACHED_VIEWS];

  Fleet(Ledger[] ledgers, @Nullable Station[] stations, PlacementPolicy policy, PoolMemory memory) {
    this.ledgers = ledgers;
    this.stations = stations;
    this.policy = policy;
    this.memory = memory;
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

  PlacementPolicy policy() {
    return policy;
  }

  PoolMemory memory() {
    return memory;
  }

  /**
   * The view for a demand; the same one as long as the demand object and the fleet are the same.
   */
  View view(Demand demand, View.Mode mode) {
    int slot = (System.identityHashCode(demand) + mode.ordinal()) & (CACHED_VIEWS - 1);
    View cached = views[slot];
    if (cached != null && cached.isFor(demand, mode)) {
      return cached;
    }
    View fresh = new View(this, demand, mode, View.NOBODY);
    views[slot] = fresh;
    return fresh;
  }
}
