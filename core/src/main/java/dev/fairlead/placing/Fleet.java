package dev.fairlead.placing;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.lease.PoolException;
import dev.fairlead.ledger.Ledger;
import dev.fairlead.ledger.LedgerWord;
import dev.fairlead.ledger.Reach;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.PlacementPolicy;
import dev.fairlead.run.DeviceRuntime;
import dev.fairlead.shared.PolicyState;
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
public final class Fleet {
  private static final int CACHED_VIEWS = 64;

  private final Ledger[] ledgers;
  private final @Nullable DeviceRuntime[] runtimes;
  private final List<DeviceRuntime> present;
  private final PlacementPolicy policy;
  private final PolicyState memory;
  private final boolean turns;

  /** Racy on purpose: views are immutable, and losing one costs only making it again. */
  private final @Nullable PoolCandidates[] views = new @Nullable PoolCandidates[CACHED_VIEWS];

  private @Nullable PoolCandidates lastLeased;
  private @Nullable PoolCandidates lastQueued;

  Fleet(
      Ledger[] ledgers,
      @Nullable DeviceRuntime[] runtimes,
      PlacementPolicy policy,
      PolicyState memory) {
    this.ledgers = ledgers;
    this.runtimes = runtimes;
    this.present =
        Arrays.stream(runtimes)
            .filter(Objects::nonNull)
            .sorted(Comparator.comparingInt(runtime -> runtime.ledger().index()))
            .toList();
    this.policy = policy;
    this.memory = memory;
    this.turns = policy.memory() == PlacementPolicy.Memory.TURN;
  }

  public static Fleet empty(PlacementPolicy policy, PolicyState memory) {
    return new Fleet(new Ledger[0], new DeviceRuntime[0], policy, memory);
  }

  /** The place that the next device gets. */
  public int vacancy() {
    int place = 0;
    while (place < runtimes.length && runtimes[place] != null) {
      place++;
    }
    return place;
  }

  /** One more device, at the place that its ledger says. */
  public Fleet with(DeviceRuntime runtime) {
    int place = runtime.ledger().place();
    int size = Math.max(place + 1, ledgers.length);
    Ledger[] moreLedgers = Arrays.copyOf(ledgers, size);
    @Nullable DeviceRuntime[] moreRuntimes = Arrays.copyOf(runtimes, size);
    moreLedgers[place] = runtime.ledger();
    moreRuntimes[place] = runtime;
    return new Fleet(moreLedgers, moreRuntimes, policy, memory);
  }

  /** The same places, one of them vacant. */
  public Fleet without(DeviceRuntime runtime) {
    int place = runtime.ledger().place();
    Ledger[] others = ledgers.clone();
    @Nullable DeviceRuntime[] otherRuntimes = runtimes.clone();
    others[place] = Ledger.vacant(runtime.ledger(), memory);
    otherRuntimes[place] = null;
    return new Fleet(others, otherRuntimes, policy, memory);
  }

  public Fleet with(PlacementPolicy other) {
    return new Fleet(ledgers, runtimes, other, memory);
  }

  /** The number of places, vacant ones included. */
  public int size() {
    return ledgers.length;
  }

  /** All ledgers by place; not to be changed. */
  public Ledger[] ledgers() {
    return ledgers;
  }

  public Ledger ledger(int index) {
    return ledgers[index];
  }

  public DeviceRuntime runtime(int index) {
    return Objects.requireNonNull(runtimes[index]);
  }

  public boolean isVacant(int index) {
    return runtimes[index] == null;
  }

  /** Those that are there, in the order in which they came. */
  public List<DeviceRuntime> runtimes() {
    return present;
  }

  public List<Device> devices() {
    return runtimes().stream().map(DeviceRuntime::device).toList();
  }

  public boolean has(DeviceRuntime runtime) {
    int place = runtime.ledger().place();
    return place < runtimes.length && runtimes[place] == runtime;
  }

  public boolean hasAt(Ledger ledger) {
    return ledger.place() < ledgers.length && ledgers[ledger.place()] == ledger;
  }

  public boolean has(DeviceId id) {
    return devices().stream().anyMatch(device -> device.id().equals(id));
  }

  public DeviceRuntime runtimeOf(DeviceId id) {
    return runtimes().stream()
        .filter(runtime -> runtime.device().id().equals(id))
        .findFirst()
        .orElseThrow(() ->
            new PoolException.UnknownDevice(
                "No device %s; there are %s"
                    .formatted(id, devices().stream().map(Device::id).toList())));
  }

  public Device byOrdinal(DeviceKind kind, int ordinal) {
    return devices().stream()
        .filter(device -> device.kind().equals(kind) && device.ordinal() == ordinal)
        .findFirst()
        .orElseThrow(() ->
            new PoolException.UnknownDevice(
                "No device %s:%d; there are %s".formatted(kind, ordinal, devices())));
  }

  public DeviceRuntime runtimeAt(int index, int given) {
    return present.stream()
        .filter(runtime -> runtime.ledger().index() == index)
        .findFirst()
        .orElseThrow(() ->
            new PoolException.BadIndex(
                index >= 0 && index < given
                    ? "The device at index %d was removed".formatted(index)
                    : "No index %d: the pool has given out %d".formatted(index, given)));
  }

  public Device next(AtomicInteger turn) {
    List<Device> all = devices();
    if (all.isEmpty()) {
      throw new PoolException.NoDevices("The pool has no devices left");
    }
    return all.get(turn.getAndUpdate(now -> now + 1 < all.size() ? now + 1 : 0) % all.size());
  }

  public Device mostFree(long now) {
    return runtimes().stream()
        .filter(runtime -> !runtime.ledger().has(LedgerWord.SHUT))
        .max(Comparator.comparingLong(runtime -> runtime.ledger().load(now).freeBytes()))
        .map(DeviceRuntime::device)
        .orElseThrow(() ->
            new PoolException.NoDevices("No device of the pool serves at present: " + devices()));
  }

  public PlacementPolicy policy() {
    return policy;
  }

  /** Whether the policy goes by turns, which are taken by a compare-and-set of their own. */
  boolean takesTurns() {
    return turns;
  }

  public PolicyState memory() {
    return memory;
  }

  /**
   * The view for a demand; the same one as long as the demand object and the fleet are the same.
   */
  public PoolCandidates view(Demand demand, EntryMode mode) {
    PoolCandidates recent = mode == EntryMode.QUEUE ? lastQueued : lastLeased;
    return recent != null && recent.isFor(demand, mode) ? recent : find(demand, mode);
  }

  /** Which devices might run queued work with such a demand. */
  public Reach reachOf(Demand demand) {
    return view(demand, EntryMode.QUEUE).reach();
  }

  private PoolCandidates find(Demand demand, EntryMode mode) {
    int slot = (System.identityHashCode(demand) + mode.ordinal()) & (CACHED_VIEWS - 1);
    PoolCandidates view = views[slot];
    if (view == null || !view.isFor(demand, mode)) {
      view = new PoolCandidates(this, demand, mode);
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
