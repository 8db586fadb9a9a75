package dev.fairlead.ledger;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.event.PoolListener.Event;
import dev.fairlead.lease.QueuedWork;
import dev.fairlead.ledger.RunningSlot.Tenancy;
import dev.fairlead.notify.Events;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Load;
import dev.fairlead.policy.Policies;
import dev.fairlead.shared.BurdenFloors;
import dev.fairlead.shared.PolicyState;
import dev.fairlead.shared.ShareHorizon;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The books of one device: what runs, what is queued, what is reserved, what was done, how it
 * stands. Every change is made under the lock of its {@link LedgerWord} and published with it, so
 * that one look at the word tells whether the device can take work, and a snapshot of the books is
 * true at one moment.
 *
 * <p>The single entries are here. The steps that consist of them, each under the lock from its
 * first entry to its last, are those by which a lease comes ({@link Admissions}), by which it goes
 * ({@link Releases}), and by which queued work goes elsewhere ({@link QueueMoves}). Events are
 * handed over under the lock, so that they come in the order in which things happened.
 */
public final class Ledger extends LedgerWord {
  int outstanding;
  int handicap;
  int generation;
  long lastEnd;
  long flags;
  boolean calm = true;
  final boolean timed;
  final SlotTable slotTable;
  final DeviceCounters counters = new DeviceCounters();
  final Reservations reservations;
  final ServingState serving = new ServingState();
  final LeaseQueue queue;
  final BurdenFloors floors;
  final ShareHorizon shares;
  final Events events;
  final long headStart;
  final Device device;
  int place;
  int index;
  @Nullable LeaseHost host;
  double pass;
  private double promisedSeconds;

  public Ledger(Device device, PolicyState memory, boolean timed) {
    this.device = device;
    this.floors = memory.floors();
    this.shares = memory.shares();
    this.events = memory.events();
    this.headStart = memory.headStart();
    this.queue = new LeaseQueue(memory.queues());
    this.timed = timed;
    this.reservations = new Reservations(device);
    this.slotTable = new SlotTable(device.slots());
  }

  /** A place whose device was removed: never takes anything. */
  public static Ledger vacant(Ledger old, PolicyState memory) {
    Ledger ledger = new Ledger(old.device.withSlots(1), memory, false);
    ledger.index = old.index;
    ledger.place = old.place;
    ledger.change(ServingState::remove);
    return ledger;
  }

  /** The device's number in the pool, which is never given to another. */
  public int index() {
    return index;
  }

  /** Where the device stands among the candidates; another may stand there after it has left. */
  public int place() {
    return place;
  }

  /** Gives the device its number and its place for good, before other threads can see it. */
  public void settleAt(int number, int where, LeaseHost at) {
    index = number;
    place = where;
    queue.settleAt(where);
    host = at;
  }

  public LeaseHost host() {
    return Objects.requireNonNull(host);
  }

  public Device device() {
    return device;
  }

  // ---- what is read without the lock: hints that a commit checks again

  public double pass() {
    return pass;
  }

  public double rate() {
    return counters.rate();
  }

  public boolean fits(Demand demand) {
    return reservations.fit(demand);
  }

  public boolean hasFreeSlots(int slots) {
    return slotTable.free() >= slots;
  }

  int freeSlots() {
    return slotTable.free();
  }

  public int generation() {
    return generation;
  }

  /** Nothing is wrong with the device as far as is known. */
  public boolean isCalm() {
    return calm;
  }

  /** Phantom items and streams of others, which a free slot does not make up for. */
  public int handicap() {
    return handicap;
  }

  public double idleSeconds(long now) {
    return outstanding > 0 || lastEnd == 0 ? 0 : Math.max(0, now - lastEnd) / 1e9;
  }

  /** Learned seconds of all that is outstanding, less what the running ones have had. */
  public double backlogSeconds(long now) {
    return Math.max(0, promisedSeconds + queue.seconds() + slotTable.remainingSeconds(now))
        / slotTable.size();
  }

  // ---- the lock

  /** Publishes the books, and unlocks them. */
  void unlock() {
    unlockMoreBurdened();
    floors.lower(place, outstanding + handicap);
  }

  /** Unlocks books that say no less than before, so that no floor can be above them. */
  void unlockMoreBurdened() {
    long now = calm ? flags : serving.flags(outstanding);
    now |= slotTable.free() == 0 ? FULL : 0;
    publish(outstanding + handicap, queue.isEmpty() ? now : now | QUEUED);
  }

  // ---- entries, under the lock

  boolean hasRoom(HeldLease lease) {
    return lease.isPlain() || reservations.fit(lease.demand());
  }

  /** Enters a lease that is to run or to be queued. */
  void enter(HeldLease lease) {
    lease.admitted(outstanding, reservations.freeBytes());
    outstanding++;
    if (!lease.isPlain()) {
      reservations.take(lease.demand().resources());
    }
    if (shares.areKept()) {
      double weight = device.weight();
      double start = Policies.start(pass, shares.horizon(), weight);
      pass = start + 1 / weight;
      shares.reached(start);
    }
  }

  /** Gives a lease that was entered its slots, which are free. */
  void start(HeldLease lease, long now) {
    if (timed && slotTable.areAllFree()) {
      counters.wake(now);
    }
    if (!lease.isPlain()) {
      reservations.started(lease.demand().resources());
    }
    lease.started(slotTable.take(lease, now), generation, now);
  }

  /** Starts a lease that had to wait for it. */
  void startAtLast(HeldLease lease, long now) {
    if (timed) {
      counters.waited(now - lease.rank() - lease.demand().priority().ordinal() * headStart);
    }
    start(lease, now);
  }

  /** Takes a lease out, started or not; its slots are not in this entry. */
  void leave(HeldLease lease, boolean started) {
    outstanding--;
    if (!lease.isPlain()) {
      reservations.give(lease.demand().resources(), started);
    }
  }

  void reportWithdrawn(HeldLease lease) {
    if (lease.number() != 0) {
      events.tell(new Event.Withdrawn(lease.number(), device, lease.demand()));
    }
  }

  /** Works out what changes only when something other than a plain lease comes or goes. */
  void restate() {
    calm = serving.isCalm();
    flags = serving.flags(outstanding);
    handicap = reservations.foreignStreams() + serving.breaker().handicap();
  }

  // ---- how the device stands

  public void change(Consumer<ServingState> how) {
    lock();
    try {
      how.accept(serving);
      restate();
    } finally {
      unlock();
    }
  }

  public <T> T serving(Function<ServingState, T> question) {
    lock();
    try {
      T answer = question.apply(serving);
      restate();
      return answer;
    } finally {
      unlock();
    }
  }

  /** Work that waits for this device in particular, in predicted seconds; negative takes back. */
  public void promised(double seconds) {
    lock();
    try {
      promisedSeconds += seconds;
    } finally {
      unlockUnchanged();
    }
  }

  public void polled(DeviceContext.Sample sample, long now) {
    lock();
    try {
      reservations.polled(sample, now);
      restate();
    } finally {
      unlock();
    }
  }

  public int nextGeneration() {
    lock();
    try {
      return ++generation;
    } finally {
      unlock();
    }
  }

  /** Reports a change of health that has not been reported yet. */
  public void reportHealth() {
    lock();
    try {
      serving
          .change()
          .ifPresent(change ->
              events.tell(
                  new Event.HealthChanged(device, change.from(), change.to(), change.reason())));
      restate();
    } finally {
      unlock();
    }
  }

  // ---- looking

  /** Reads the books; what it does must be short. */
  <T> T read(Supplier<T> books) {
    lock();
    try {
      return books.get();
    } finally {
      unlockUnchanged();
    }
  }

  public boolean mayLeave() {
    return read(() -> serving.mayLeave(outstanding));
  }

  public boolean isDrained() {
    return read(() -> serving.isDrained(outstanding));
  }

  public boolean isWorking() {
    return read(slotTable::areWorking);
  }

  public boolean isIdle() {
    return read(slotTable::areAllFree);
  }

  public List<Tenancy> tenancies() {
    return read(slotTable::tenancies);
  }

  public List<Tenancy> overdue(long now, long limitNanos) {
    return read(() -> slotTable.overdue(now, limitNanos));
  }

  /** Jobs that run or are in line. */
  public List<QueuedWork> jobs() {
    List<QueuedWork> jobs = read(queue::jobs);
    for (Tenancy tenancy : tenancies()) {
      if (tenancy.holder() instanceof QueuedWork job && !jobs.contains(job)) {
        jobs.add(job);
      }
    }
    return jobs;
  }

  public Load load(long now) {
    return read(() -> loadAt(outstanding, reservations.freeBytes(), now));
  }

  /** A load with the depth and memory that were noted at another moment. */
  public Load loadAt(int depth, long freeBytes, long now) {
    return new Load(
        freeBytes,
        device.memoryBytes(),
        depth,
        reservations.foreignStreams(),
        device.features().computeCapability(),
        Duration.ofNanos(Math.max(0, reservations.pollAgeNanos(now))),
        reservations.polls());
  }
}
