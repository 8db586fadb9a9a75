package dev.fairlead.placing;

import dev.fairlead.device.Device;
import dev.fairlead.device.Resources;
import dev.fairlead.lease.PoolException;
import dev.fairlead.ledger.Ledger;
import dev.fairlead.ledger.LedgerWord;
import dev.fairlead.ledger.Reach;
import dev.fairlead.policy.Affinity;
import dev.fairlead.policy.Candidates;
import dev.fairlead.policy.Choice;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Load;
import dev.fairlead.policy.PlacementPolicy;
import dev.fairlead.run.DeviceRuntime;
import dev.fairlead.shared.BurdenFloors;
import dev.fairlead.shared.HostLimits;
import dev.fairlead.shared.ThreadCursor;
import dev.fairlead.stats.CostCurve;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The pool's devices as candidates for one demand. What never changes is worked out once: which
 * devices could ever take it, and the order that its affinity key prefers. The rest is read from
 * the ledgers as they are.
 */
public final class PoolCandidates implements Candidates {
  /** No device is being served for the demand in particular. */
  private static final int NONE_SERVED = -1;

  private final Fleet fleet;
  private final Ledger[] ledgers;
  private final ThreadCursor.Ring cursors;
  private final BurdenFloors floors;
  private final PlacementPolicy policy;
  private final Demand demand;
  private final EntryMode mode;
  private final int served;
  private final DemandFit fit;
  private final boolean turns;

  // What of the fit is read at every look, kept at hand.
  private final boolean @Nullable [] hopes;
  private final boolean slotsOnly;
  private final boolean plain;
  private final int @Nullable [] preference;

  /** What submitted work is tried with before queues are joined; null if the policy weighs them. */
  private final @Nullable PoolCandidates starting;

  /** Filled as they are asked for; racy on purpose, since all find the same. */
  private final @Nullable CostCurve[] curves;

  PoolCandidates(Fleet fleet, Demand demand, EntryMode mode) {
    this.fleet = fleet;
    this.ledgers = fleet.ledgers();
    this.cursors = fleet.memory().cursors();
    this.floors = fleet.memory().floors();
    this.demand = demand;
    this.mode = mode;
    this.served = NONE_SERVED;
    this.fit = new DemandFit(fleet, demand);
    this.hopes = fit.hopes();
    this.slotsOnly = fit.isSlotsOnly();
    this.plain = fit.isPlain();
    this.preference = fit.preference();
    this.turns = preference == null && fleet.takesTurns();
    this.policy = fleet.policy();
    this.curves = new CostCurve[demand.work().isSpecified() ? ledgers.length : 0];
    this.starting =
        mode == EntryMode.QUEUE && preference == null && !policy.weighsQueues()
            ? new PoolCandidates(this, EntryMode.START, NONE_SERVED)
            : null;
  }

  private PoolCandidates(PoolCandidates other, EntryMode mode, int served) {
    this.fleet = other.fleet;
    this.ledgers = other.ledgers;
    this.cursors = other.cursors;
    this.floors = other.floors;
    this.policy = other.policy;
    this.demand = other.demand;
    this.mode = mode;
    this.served = served;
    this.fit = other.fit;
    this.hopes = other.hopes;
    this.slotsOnly = other.slotsOnly;
    this.plain = other.plain;
    this.turns = other.turns;
    this.preference = other.preference;
    this.curves = other.curves;
    this.starting = null;
  }

  public Reach reach() {
    return fit.reach();
  }

  /** The view to begin with, for submitted work; null if there is no other than this. */
  @Nullable PoolCandidates starting() {
    return starting;
  }

  /** Whether affinity, if the demand has one, lets a free device take it over from a busy one. */
  public boolean lets(int free, int busy) {
    return preference == null || Affinity.lets(this, preference, free, busy);
  }

  /**
   * The same for a demand that is being served by {@code device}; others that are awaited are not
   * its.
   */
  public PoolCandidates servedBy(int device) {
    return new PoolCandidates(this, EntryMode.SERVE, device);
  }

  @SuppressWarnings("ReferenceEquality") // equal demands may have views of their own
  boolean isFor(Demand other, EntryMode otherMode) {
    return demand == other && mode == otherMode;
  }

  @Override
  public Demand demand() {
    return demand;
  }

  /** The demand asks for one slot and nothing else, and its cost is not learned. */
  public boolean isPlain() {
    return plain;
  }

  public Ledger ledger(int index) {
    return ledgers[index];
  }

  public Fleet fleet() {
    return fleet;
  }

  EntryMode mode() {
    return mode;
  }

  /** Whether the device could take the demand some day, healthy and free or not. */
  public boolean hopes(int index) {
    return hopes == null ? !fleet.isVacant(index) : hopes[index];
  }

  public boolean hopesForAny() {
    return fit.hopesForAny();
  }

  /** Where the current thread looks first. */
  ThreadCursor cursor() {
    return cursors.mine();
  }

  boolean takesTurns() {
    return turns;
  }

  /** The policy's choice; affinity, where a demand has it, comes before any policy. */
  long choose() {
    return preference == null ? policy.place(this) : Affinity.place(this, preference);
  }

  @Override
  public Device device(int index) {
    return ledgers[index].device();
  }

  @Override
  public Load load(int index) {
    return ledgers[index].load(fleet.memory().ticker().nanos());
  }

  @Override
  public int size() {
    return ledgers.length;
  }

  @Override
  public boolean available(int index) {
    return available(index, ledgers[index].word());
  }

  private boolean available(int index, long word) {
    if ((word & mode.refusals()) != 0 || (hopes != null && !hopes[index])) {
      return false;
    }
    if (mode == EntryMode.SERVE && index != served && (word & LedgerWord.AWAITED) != 0) {
      return false;
    }
    if (mode == EntryMode.START && ledgers[index].handicap() > 0) {
      return false;
    }
    return slotsOnly || hasRoom(ledgers[index]);
  }

  private boolean hasRoom(Ledger ledger) {
    HostLimits host = fleet.memory().host();
    Resources asked = demand.resources();
    return (mode == EntryMode.QUEUE || ledger.hasFreeSlots(asked.slots()))
        && ledger.fits(demand)
        && (!host.concerns(asked) || host.has(asked, mode == EntryMode.SERVE));
  }

  @Override
  public boolean eligible(int index) {
    return hopes(index) && !ledgers[index].has(LedgerWord.SHUT);
  }

  @Override
  public int burden(int index) {
    return LedgerWord.burden(ledgers[index].word());
  }

  @Override
  public boolean full(int index) {
    return ledgers[index].has(LedgerWord.FULL);
  }

  @Override
  public double weight(int index) {
    return ledgers[index].device().weight();
  }

  @Override
  public double rate(int index) {
    return ledgers[index].rate();
  }

  @Override
  public double idleSeconds(int index) {
    return ledgers[index].idleSeconds(fleet.memory().ticker().nanos());
  }

  @Override
  public double predictedSeconds(int index) {
    if (!demand.work().isSpecified()) {
      return Double.NaN;
    }
    CostCurve curve = curves[index];
    if (curve == null) {
      Device device = ledgers[index].device();
      curve = fleet.memory().costs().curve(device.id(), demand.work().kind());
      curves[index] = curve;
    }
    return curve.seconds(demand.work().size());
  }

  @Override
  public double backlogSeconds(int index) {
    return ledgers[index].backlogSeconds(fleet.memory().ticker().nanos());
  }

  @Override
  public double pass(int index) {
    return ledgers[index].pass();
  }

  @Override
  public double horizon() {
    return fleet.memory().shares().horizon();
  }

  @Override
  public int turn() {
    return fleet.memory().turn().get();
  }

  @Override
  public int rotation() {
    return cursors.mine().rotation();
  }

  @Override
  public double draw(int which) {
    long mixed =
        fleet.memory().seed() + 0x9e3779b97f4a7c15L * (1 + which + 4 * cursors.mine().decision());
    mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return ((mixed ^ (mixed >>> 31)) >>> 11) * 0x1p-53;
  }

  /**
   * Looks first where the thread's rotation stands, and leaves at once when a device there is idle.
   * Else group by group, skipping those whose floor is no lower than what has been found.
   */
  @Override
  public long leastBurdened() {
    int size = size();
    if (size == 0) {
      return Choice.NONE;
    }
    int rotation = rotation();
    int first = rotation < size ? rotation : 0;
    int groups = (size + BurdenFloors.GROUP - 1) >> BurdenFloors.GROUP_BITS;
    int group = first >> BurdenFloors.GROUP_BITS;
    long best = Choice.NONE;
    for (int step = 0; step < groups; step++) {
      int least = best == Choice.NONE ? Integer.MAX_VALUE : Choice.burden(best);
      if (floors.floor(group) < least) {
        best = leastOfGroup(group, step == 0 ? first : group << BurdenFloors.GROUP_BITS, best);
        if (best != Choice.NONE && Choice.burden(best) == 0) {
          return best;
        }
      }
      group = group + 1 == groups ? 0 : group + 1;
    }
    return best;
  }

  private long leastOfGroup(int group, int from, long bestSoFar) {
    int low = group << BurdenFloors.GROUP_BITS;
    int high = Math.min(low + BurdenFloors.GROUP, size());
    long best = bestSoFar;
    // A device whose word is locked counts as half an item more burdened than it is.
    long least = best == Choice.NONE ? Long.MAX_VALUE : 2L * Choice.burden(best);
    int floor = Integer.MAX_VALUE;
    int index = from;
    for (int count = high - low; count > 0; count--) {
      long word = ledgers[index].word();
      int burden = LedgerWord.burden(word);
      floor = Math.min(floor, burden);
      long apparent = 2L * burden + (word & LedgerWord.LOCKED);
      if (index == from && (word & LedgerWord.LOCKED) != 0) {
        cursors.mine().lostRace();
      }
      if (apparent < least && available(index, word)) {
        least = apparent;
        best = Choice.of(index, burden);
        if (least == 0) {
          return best;
        }
      }
      index = index + 1 == high ? low : index + 1;
    }
    floors.raise(group, floor);
    return best;
  }

  /** The demand asks for resources that all devices of the host share. */
  public boolean sharesHost() {
    return fleet.memory().host().concerns(demand.resources());
  }

  /** Some device has room for the demand, but the host has not. */
  public boolean lacksOnlyHost() {
    for (int index = 0; index < size(); index++) {
      Ledger ledger = ledgers[index];
      if (hopes(index)
          && !ledger.has(LedgerWord.FULL | LedgerWord.SHUT)
          && ledger.hasFreeSlots(demand.resources().slots())
          && ledger.fits(demand)) {
        return true;
      }
    }
    return false;
  }

  /** Why no device can ever take the demand. */
  public String objections() {
    return fit.objections();
  }

  /** Throws, with every device's objection, if none could ever take the demand. */
  public void requireHope() {
    if (!hopesForAny()) {
      throw new PoolException.Rejected(objections());
    }
  }

  /** The devices that could take the demand some day; at least one. */
  public List<Device> candidates() {
    requireHope();
    return fleet.runtimes().stream()
        .filter(runtime -> hopes(runtime.ledger().place()))
        .map(DeviceRuntime::device)
        .toList();
  }

  /** Why a device could never take the demand; empty if it could. */
  Optional<String> objection(int index) {
    return fit.objection(index);
  }
}
