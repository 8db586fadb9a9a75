package dev.fairlead.media.local;

import dev.fairlead.media.host.MemoryBook;
import dev.fairlead.media.host.Seat;
import dev.fairlead.media.host.StartOrder;
import dev.fairlead.media.progress.Parked;
import dev.fairlead.media.records.JobId;
import dev.fairlead.policy.FairShares;
import dev.fairlead.policy.Priority;
import dev.fairlead.policy.Tenant;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs of a host run: those that the {@link StartOrder} names, while there are places,
 * memory, room on the disk and room on cards. Thread-safe.
 *
 * <p>A job for which there is too little memory lets smaller ones pass, for a minute at most: from
 * then on what becomes free is kept for it. One that has to wait may have another one parked, for
 * another tenant not within half a minute of its start.
 */
final class Turns {
  /** For how long smaller jobs may pass one that waits for memory. */
  static final long PASSED_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** For how long a job that has started is not parked for another tenant. */
  static final long SETTLED_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final long LOOK_MILLIS = 500;

  /** A job as turns see it. */
  interface Job {
    JobId id();

    Tenant tenant();

    Priority priority();

    Path output();

    /** The least that it takes of memory. */
    MemoryBook.Need need();

    /** Whether it was parked because too little was left on its disk. */
    boolean lacksDisk();

    /** Whether it is to run when its turn comes. */
    boolean isWanted();

    boolean isParking();

    /** It is its turn, but for this. */
    void waits(String why);

    void park(String why, boolean withSound);

    /** It may use something else from now on. */
    void share(Seat.Share now);
  }

  /**
   * What turns depend on, asked when it matters.
   *
   * @param freeBytes how much is left where a job writes
   * @param shares what tenants have had
   * @param cards whether cards have room for one more job beside so many
   * @param nanos the time
   */
  record Gauges(
      ToLongFunction<Path> freeBytes,
      Supplier<FairShares> shares,
      IntPredicate cards,
      LongSupplier nanos) {}

  private final HostLimits limits;
  private final Gauges gauges;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by the lock.
  private final MemoryBook memory;
  private final Map<JobId, Job> waiting = new LinkedHashMap<>();
  private final Map<JobId, Running> running = new LinkedHashMap<>();

  /** By job that waits, the one that is parked for it. */
  private final Map<JobId, JobId> parkedFor = new HashMap<>();

  private @Nullable JobId blocked;
  private long blockedSince;
  private boolean looked;
  private long lookedAt;

  private record Running(Job job, long since) {}

  Turns(HostLimits limits, long memoryBytes, Gauges gauges) {
    this.limits = limits;
    this.memory = new MemoryBook(memoryBytes, Runtime.getRuntime().availableProcessors());
    this.gauges = gauges;
  }

  /** Waits until a job may run; false if it is not to any more. */
  boolean await(Job job) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      enter(job);
      while (job.isWanted()) {
        look();
        divide();
        if (memory.isThere(job.id())) {
          return true;
        }
        // Time alone may change something: how long it was passed, what is left on the disk.
        boolean _ = changed.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      }
      remove(job);
      return false;
    } finally {
      forget(job);
      lock.unlock();
    }
  }

  /** A job waits from now on. */
  void enter(Job job) {
    lock.lock();
    try {
      waiting.put(job.id(), job);
      change();
    } finally {
      lock.unlock();
    }
  }

  /** A job does not wait any more. */
  void forget(Job job) {
    lock.lock();
    try {
      waiting.remove(job.id());
      parkedFor.remove(job.id());
      change();
    } finally {
      lock.unlock();
    }
  }

  /** A job does not run any more. */
  void leave(Job job) {
    lock.lock();
    try {
      remove(job);
    } finally {
      lock.unlock();
    }
  }

  private void remove(Job job) {
    running.remove(job.id());
    memory.leave(job.id());
    divide();
    change();
  }

  boolean isRunning(Job job) {
    lock.lock();
    try {
      return running.containsKey(job.id());
    } finally {
      lock.unlock();
    }
  }

  /** Something about the jobs has changed. */
  void change() {
    lock.lock();
    try {
      looked = false;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Has those run whose turn it is, unless that was looked at just now. */
  void look() {
    lock.lock();
    try {
      long now = gauges.nanos.getAsLong();
      if (looked && now - lookedAt < TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS)) {
        return;
      }
      while (step(now)) {
        changed.signalAll();
      }
      looked = true;
      lookedAt = now;
    } finally {
      lock.unlock();
    }
  }

  /** Starts a job, or has one parked; false if neither is to be done. */
  private boolean step(long now) {
    StartOrder order = order(now);
    boolean full = running.size() >= limits.jobs() || !gauges.cards.test(running.size());
    for (StartOrder.Job next : order.waiting()) {
      Job job = Objects.requireNonNull(waiting.get(next.id()));
      if (!full && memory.fits(job.id(), job.need())) {
        start(job, now);
        return true;
      }
      if (!isParkedFor(job)) {
        Optional<StartOrder.Job> parked = order.toPark(next);
        if (parked.isPresent()) {
          park(parked.get(), next);
          return true;
        }
      }
      if (!full && !mayPass(job, order, now)) {
        return false;
      }
    }
    return false;
  }

  private StartOrder order(long now) {
    List<StartOrder.Job> jobs = new ArrayList<>();
    for (Running each : running.values()) {
      boolean settled = now - each.since >= SETTLED_NANOS;
      StartOrder.Standing runs =
          settled ? StartOrder.Standing.RUNNING : StartOrder.Standing.STARTED;
      jobs.add(inOrder(each.job, each.job.isParking() ? StartOrder.Standing.PARKING : runs));
    }
    for (Job job : waiting.values()) {
      if (running.containsKey(job.id())) {
        continue;
      }
      if (hasDisk(job)) {
        boolean next = parkedFor.containsKey(job.id());
        jobs.add(inOrder(job, next ? StartOrder.Standing.NEXT : StartOrder.Standing.WAITING));
      } else {
        job.waits("too little is left free on the disk of " + job.output());
      }
    }
    return new StartOrder(jobs, gauges.shares.get());
  }

  private static StartOrder.Job inOrder(Job job, StartOrder.Standing standing) {
    return new StartOrder.Job(job.id(), job.tenant(), job.priority(), standing);
  }

  private void start(Job job, long now) {
    if (job.id().equals(blocked)) {
      blocked = null;
    }
    parkedFor.remove(job.id());
    running.put(job.id(), new Running(job, now));
    memory.enter(job.id(), job.need());
  }

  /** Whether another job is being parked for this one. */
  private boolean isParkedFor(Job job) {
    JobId parked = parkedFor.get(job.id());
    Running its = parked == null ? null : running.get(parked);
    return its != null && its.job.isParking();
  }

  private void park(StartOrder.Job parked, StartOrder.Job urgent) {
    parkedFor.put(urgent.id(), parked.id());
    boolean same = parked.tenant().name().equals(urgent.tenant().name());
    String why =
        same
            ? "job %s is more urgent".formatted(urgent.id())
            : "tenant %s has fewer places than it is due".formatted(urgent.tenant().name());
    Objects.requireNonNull(running.get(parked.id())).job.park(why, true);
  }

  /** Whether others may start before a job that is too large at present. */
  private boolean mayPass(Job job, StartOrder order, long now) {
    if (order.waiting().stream().noneMatch(each -> each.id().equals(blocked))) {
      blocked = job.id();
      blockedSince = now;
    }
    return !job.id().equals(blocked) || now - blockedSince < PASSED_NANOS;
  }

  private boolean hasDisk(Job job) {
    long least = job.lacksDisk() ? 2 * limits.minFreeBytes() : limits.minFreeBytes();
    return gauges.freeBytes.applyAsLong(job.output()) >= least;
  }

  /** Whether what is left on the disk of a job that runs is too little. */
  boolean isDiskLow(Job job) {
    return gauges.freeBytes.applyAsLong(job.output()) < limits.minFreeBytes();
  }

  /**
   * What a job may use, whose needs are known now; waits until others have let go of it.
   *
   * @param most what it can make use of
   * @param pumps the same
   * @throws Parked if it does not fit beside those that run
   */
  Seat.Share share(HostedJob job, MemoryBook.Need need, long most, int pumps)
      throws InterruptedException {
    lock.lockInterruptibly();
    try {
      job.need(need);
      if (!memory.fits(job.id(), need)) {
        throw new Parked("others have the memory");
      }
      memory.enter(job.id(), need, limits.jobs() == 1 ? Long.MAX_VALUE : most, pumps);
      divide();
      while (!memory.isThere(job.id())) {
        changed.await();
      }
      return job.share();
    } finally {
      lock.unlock();
    }
  }

  /** A job uses no more than the share of that number. */
  void within(HostedJob job, long share) {
    lock.lock();
    try {
      memory.within(job.id(), share);
      divide();
    } finally {
      lock.unlock();
    }
  }

  /** A job decodes no more. */
  void decoded(HostedJob job) {
    lock.lock();
    try {
      memory.enter(job.id(), job.need());
      divide();
    } finally {
      lock.unlock();
    }
  }

  /** Divides what all may use, and tells those whose share has changed. */
  private void divide() {
    if (memory.divide(limits.jobs() > 1 && areSeveral())) {
      changed.signalAll();
    }
    running.values().forEach(each -> memory.share(each.job.id()).ifPresent(each.job::share));
  }

  /** Whether more than one runs or waits; asked by every job that waits, so it looks at few. */
  private boolean areSeveral() {
    if (running.size() > 1) {
      return true;
    }
    return waiting.keySet().stream().filter(id -> !running.containsKey(id)).limit(2).count()
        > 1 - running.size();
  }

  /** What may be in use of memory; for tests. */
  long heldBytes() {
    lock.lock();
    try {
      return memory.held();
    } finally {
      lock.unlock();
    }
  }

  /** The least that what runs takes of memory; for tests. */
  long leastBytes() {
    lock.lock();
    try {
      return memory.least();
    } finally {
      lock.unlock();
    }
  }
}
