package dev.fairlead.pool;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.Fault;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Load;
import dev.fairlead.policy.Policies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The books of one device: who runs, who is queued, what is reserved, what was done, how healthy it
 * is. Every change is made under the word's lock and published with it, so that one look at the
 * word tells whether the device can take work, and a snapshot of the books is true at one moment.
 */
final class Ledger extends LedgerWord {
  /** The books' answer to a lease that wants in. */
  enum Entry {
    /** It has its slot. */
    RUNNING,
    /** It is in line for a slot of this device. */
    QUEUED,
    /** Someone was faster; look again. */
    LOST,
    /** There is not enough of what the demand asks for. */
    UNFIT,
    /** It was withdrawn on its way. */
    WITHDRAWN
  }

  private int index;
  private final Device device;
  private final Floors floors;
  private final Shares shares;
  private final boolean timed;

  private final @Nullable Lease[] leases;
  private final int[] freeLanes;
  private int freeCount;
  private int outstanding;
  private int generation;
  private boolean awaited;
  private boolean draining;
  private Health announced = Health.READY;
  private double pass;
  private double backlogSeconds;
  private long lastEnd;

  private final LeaseQueue queue = new LeaseQueue();
  private final Reservations reservations;
  private final Accounts accounts = new Accounts();
  private final Breaker breaker = new Breaker();

  Ledger(Device device, Floors floors, Shares shares, boolean timed) {
    this.device = device;
    this.floors = floors;
    this.shares = shares;
    this.timed = timed;
    this.reservations = new Reservations(device);
    this.leases = new @Nullable Lease[device.slots()];
    this.freeLanes = new int[device.slots()];
    this.freeCount = device.slots();
    for (int lane = 0; lane < freeLanes.length; lane++) {
      freeLanes[lane] = freeLanes.length - 1 - lane;
    }
  }

  /** A place whose device was removed: never takes anything. */
  static Ledger vacant(int index, Device device, Floors floors) {
    Ledger ledger = new Ledger(device.withSlots(1), floors, new Shares(), false);
    ledger.index = index;
    ledger.lock();
    ledger.draining = true;
    ledger.unlock();
    return ledger;
  }

  int index() {
    return index;
  }

  /** Gives the device its place for good, before anybody can see it. */
  void settleAt(int place) {
    index = place;
  }

  Device device() {
    return device;
  }

  // ---- what is read without the lock: hints that a commit checks again

  double pass() {
    return pass;
  }

  double rate() {
    return accounts.rate();
  }

  boolean fits(Demand demand) {
    return reservations.fit(demand);
  }

  boolean hasFreeSlots(int slots) {
    return freeCount >= slots;
  }

  double idleSeconds(long now) {
    return outstanding > 0 || lastEnd == 0 ? 0 : Math.max(0, now - lastEnd) / 1e9;
  }

  /** Learned seconds of all that is outstanding, less what the running ones have had. */
  double backlogSeconds(long now) {
    double rest = backlogSeconds;
    for (Lease lease : leases) {
      if (lease != null) {
        rest -= Math.min(lease.predictedSeconds(), lease.heldNanos(now) / 1e9);
      }
    }
    return Math.max(0, rest) / leases.length;
  }

  int generation() {
    return generation;
  }

  // ---- entering and leaving

  /**
   * Gives the lease a running slot and all that its demand asks for, or nothing.
   *
   * @param atMost the burden that the device was chosen on
   * @param first whether the lease has waited longest, so that it may pass others that wait
   */
  Entry take(Lease lease, int atMost, boolean first, long now) {
    if (!lockFor(atMost)) {
      return Entry.LOST;
    }
    long seen = word();
    if (burden(seen) > atMost || (seen & (first ? SHUT : SHUT | AWAITED)) != 0) {
      unlockUnchanged();
      return Entry.LOST;
    }
    if (freeCount < lease.slots() || !reservations.fit(lease.demand())) {
      unlockUnchanged();
      return Entry.UNFIT;
    }
    if (first && !lease.begin()) {
      unlockUnchanged();
      return Entry.WITHDRAWN;
    }
    admit(lease);
    start(lease, now);
    unlock();
    return Entry.RUNNING;
  }

  /** Gives the job a slot if one is free and nobody was there before it, else a place in line. */
  Entry enqueue(Lease lease, int atMost, long now) {
    if (!lockFor(atMost)) {
      return Entry.LOST;
    }
    long seen = word();
    if (burden(seen) > atMost || (seen & SHUT) != 0) {
      unlockUnchanged();
      return Entry.LOST;
    }
    if (!reservations.fit(lease.demand())) {
      unlockUnchanged();
      return Entry.UNFIT;
    }
    boolean starts = freeCount >= lease.slots() && !awaited && queue.peek() == null;
    if (starts ? !lease.begin() : lease.isEnded()) {
      unlockUnchanged();
      return Entry.WITHDRAWN;
    }
    admit(lease);
    if (starts) {
      start(lease, now);
    } else {
      queue.add(lease);
      lease.inLine(true);
    }
    unlock();
    return starts ? Entry.RUNNING : Entry.QUEUED;
  }

  /** Whoever takes the device at any burden waits for the lock; others look elsewhere meanwhile. */
  private boolean lockFor(int atMost) {
    if (atMost == Integer.MAX_VALUE) {
      lock();
      return true;
    }
    return tryLock();
  }

  private void admit(Lease lease) {
    lease.admitted(outstanding, reservations.freeBytes());
    reservations.take(lease.demand().resources());
    backlogSeconds += lease.predictedSeconds();
    outstanding++;
    if (shares.areKept()) {
      double weight = device.weight();
      double start = Policies.start(pass, shares.horizon(), weight);
      pass = start + 1 / weight;
      shares.reached(start);
    }
  }

  private void start(Lease lease, long now) {
    if (timed && freeCount == leases.length) {
      accounts.wake(now);
    }
    int lane = 0;
    for (int slot = lease.slots(); slot > 0; slot--) {
      lane = freeLanes[--freeCount];
      leases[lane] = lease;
    }
    lease.started(lane, generation, now);
  }

  /** Starts jobs in line, as far as slots go, that rank before {@code limit}; a linked chain. */
  private @Nullable Lease startQueued(long limit, long now) {
    Lease chain = null;
    Lease head = queue.peek();
    while (head != null
        && freeCount >= head.slots()
        && (limit == Long.MAX_VALUE || head.rank() - limit < 0)) {
      queue.remove(head);
      if (head.begin()) {
        head.inLine(false);
        start(head, now);
        head.next = chain;
        chain = head;
      }
      head = queue.peek();
    }
    return chain;
  }

  @Nullable Lease startQueuedBefore(long limit, long now) {
    lock();
    Lease chain = shut() ? null : startQueued(limit, now);
    unlock();
    return chain;
  }

  /**
   * Ends a running lease, and starts jobs in line unless others wait for this device.
   *
   * @param fault null if it succeeded
   * @return the jobs that were started, linked
   */
  @Nullable Lease end(Lease lease, @Nullable Fault fault, long now) {
    lock();
    for (int slot = lease.slots(), lane = lease.lane(); slot > 0; lane++) {
      lane = lane == leases.length ? 0 : lane;
      if (leases[lane] == lease) {
        leases[lane] = null;
        freeLanes[freeCount++] = lane;
        slot--;
      }
    }
    leave(lease);
    if (!lease.isUnused()) {
      record(lease, fault, now);
    }
    Lease chain = awaited || shut() ? null : startQueued(Long.MAX_VALUE, now);
    unlock();
    return chain;
  }

  private void record(Lease lease, @Nullable Fault fault, long now) {
    if (timed) {
      accounts.ended(fault == null, lease.demand().work().size(), lease.startedAt(), now);
      lastEnd = now;
    } else {
      accounts.count(fault == null);
    }
    if (fault == null) {
      breaker.succeeded();
    } else {
      breaker.failed(fault, now);
    }
  }

  private void leave(Lease lease) {
    outstanding--;
    reservations.give(lease.demand().resources());
    backlogSeconds -= lease.predictedSeconds();
  }

  /** Takes back a job that was withdrawn, if it is still in line here. */
  boolean withdraw(Lease lease) {
    lock();
    boolean inLine = lease.isInLine();
    if (inLine) {
      lease.inLine(false);
      leave(lease);
    }
    unlock();
    return inLine;
  }

  /** Empties the line; the jobs are to be placed anew. */
  List<Lease> takeQueued() {
    List<Lease> taken = new ArrayList<>();
    lock();
    for (Lease head = queue.peek(); head != null; head = queue.peek()) {
      queue.remove(head);
      head.inLine(false);
      leave(head);
      taken.add(head);
    }
    unlock();
    return taken;
  }

  // ---- the rest of the state

  /** Says that a demand waits for this device, or that none does any more. */
  @Nullable Lease await(boolean waited, long now) {
    lock();
    awaited = waited;
    Lease chain = waited || shut() ? null : startQueued(Long.MAX_VALUE, now);
    unlock();
    return chain;
  }

  void drain() {
    lock();
    draining = true;
    unlock();
  }

  boolean isDrained() {
    lock();
    boolean drained = (draining || breaker.health() == Health.LOST) && outstanding == 0;
    unlockUnchanged();
    return drained;
  }

  boolean isIdle() {
    lock();
    boolean idle = freeCount == leases.length;
    unlockUnchanged();
    return idle;
  }

  void polled(Optional<DeviceContext.Sample> sample, long now) {
    lock();
    reservations.polled(sample, now);
    unlock();
  }

  void failed(Fault fault, long now) {
    lock();
    breaker.failed(fault, now);
    unlock();
  }

  void fade(long now) {
    lock();
    breaker.fade(now);
    unlock();
  }

  void probed(boolean passed, long now) {
    lock();
    breaker.probed(passed, now);
    unlock();
  }

  boolean isProbeDue(long now) {
    lock();
    boolean due = breaker.isProbeDue(now) && freeCount == leases.length;
    unlockUnchanged();
    return due;
  }

  boolean isContextPoisoned() {
    lock();
    boolean poisoned = breaker.contextPoisoned();
    unlockUnchanged();
    return poisoned;
  }

  int nextGeneration() {
    lock();
    int next = ++generation;
    unlock();
    return next;
  }

  /** The health if it changed since it was last asked for here, with what it was. */
  Optional<HealthChange> healthChange() {
    lock();
    Health from = announced;
    Health to = breaker.health();
    announced = to;
    unlock();
    return from == to ? Optional.empty() : Optional.of(new HealthChange(from, to));
  }

  record HealthChange(Health from, Health to) {}

  Health health() {
    lock();
    Health health = breaker.health();
    unlockUnchanged();
    return health;
  }

  String standing(long now) {
    lock();
    Health health = breaker.health();
    Duration rest = breaker.untilProbe(now);
    boolean leaves = draining;
    unlockUnchanged();
    if (leaves) {
      return "is being removed";
    }
    return health == Health.QUARANTINED
        ? "is in quarantine, probed again in " + rest.toMillis() + " ms"
        : "is " + health;
  }

  /** Leases that run, each once. */
  List<Lease> running() {
    List<Lease> running = new ArrayList<>();
    lock();
    for (Lease lease : leases) {
      if (lease != null && !running.contains(lease)) {
        running.add(lease);
      }
    }
    unlockUnchanged();
    return running;
  }

  /** Jobs that run or are in line. */
  List<Job> jobs() {
    List<Job> jobs = new ArrayList<>();
    lock();
    for (Lease lease : leases) {
      if (lease != null && lease.job() != null) {
        jobs.add(lease.job());
      }
    }
    queue.collect(jobs);
    unlockUnchanged();
    return jobs;
  }

  Load load(long now) {
    lock();
    Load load = loadLocked(now);
    unlockUnchanged();
    return load;
  }

  private Load loadLocked(long now) {
    return loadAt(outstanding, reservations.freeBytes(), now);
  }

  /** A load with the depth and memory of a moment that somebody else has noted. */
  Load loadAt(int depth, long freeBytes, long now) {
    return new Load(
        freeBytes,
        device.memoryBytes(),
        depth,
        reservations.foreignStreams(),
        device.features().computeCapability(),
        Duration.ofNanos(reservations.pollAgeNanos(now)),
        reservations.polls());
  }

  /** One device's part of a snapshot; the caller holds the lock. */
  PoolSnapshot.Entry entryLocked(long now) {
    List<PoolSnapshot.Holding> holdings = new ArrayList<>();
    Lease last = null;
    for (Lease lease : leases) {
      if (lease != null && lease != last) {
        holdings.add(
            new PoolSnapshot.Holding(lease.holder(), Duration.ofNanos(lease.heldNanos(now))));
        last = lease;
      }
    }
    return new PoolSnapshot.Entry(
        index,
        device,
        breaker.health(),
        generation,
        loadLocked(now),
        accounts.stats(outstanding),
        holdings);
  }

  private boolean shut() {
    return switch (breaker.health()) {
      case READY, SUSPECT -> draining;
      case PROBING -> draining || outstanding > 0;
      case QUARANTINED, LOST -> true;
    };
  }

  private void unlock() {
    int burden = outstanding + reservations.foreignStreams() + breaker.handicap();
    boolean attention =
        breaker.health() != announced
            || (outstanding == 0 && (draining || announced == Health.LOST));
    publish(
        burden,
        (awaited ? AWAITED : 0)
            | (freeCount == 0 ? FULL : 0)
            | (shut() ? SHUT : 0)
            | (attention ? ATTENTION : 0));
    floors.lower(index, burden);
  }
}
