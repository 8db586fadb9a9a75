package dev.fairlead.media.local;

import dev.fairlead.media.host.MemoryBook;
import dev.fairlead.media.host.Seat;
import dev.fairlead.media.progress.Parked;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs of a host run: the more urgent first, then the older, while there are places, memory
 * and room on the disk. Thread-safe.
 *
 * <p>A job for which there is too little memory lets smaller ones pass, for a minute at most: from
 * then on what becomes free is kept for it. One that is more urgent than a job that runs has that
 * parked.
 */
final class Turns {
  /** For how long smaller jobs may pass one that waits for memory. */
  static final long PASSED_NANOS = TimeUnit.SECONDS.toNanos(60);

  private static final long LOOK_MILLIS = 500;
  private static final Comparator<HostedJob> ORDER =
      Comparator.comparing((HostedJob job) -> job.priority(), Comparator.reverseOrder())
          .thenComparing(HostedJob::id);

  private final HostLimits limits;
  private final ToLongFunction<Path> freeBytes;
  private final LongSupplier nanos;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by the lock.
  private final MemoryBook memory;
  private final List<HostedJob> waiting = new ArrayList<>();
  private final List<HostedJob> running = new ArrayList<>();
  private @Nullable HostedJob blocked;
  private long blockedSince;

  /**
   * Turns on a host.
   *
   * @param freeBytes how much is left where a job writes
   * @param nanos the time
   */
  Turns(HostLimits limits, long memoryBytes, ToLongFunction<Path> freeBytes, LongSupplier nanos) {
    this.limits = limits;
    this.memory = new MemoryBook(memoryBytes, Runtime.getRuntime().availableProcessors());
    this.freeBytes = freeBytes;
    this.nanos = nanos;
  }

  /** Waits until a job may run; false if it is not to any more. */
  boolean await(HostedJob job) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      waiting.add(job);
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
      waiting.remove(job);
      lock.unlock();
    }
  }

  /** A job does not run any more. */
  void leave(HostedJob job) {
    lock.lock();
    try {
      remove(job);
    } finally {
      lock.unlock();
    }
  }

  private void remove(HostedJob job) {
    running.remove(job);
    memory.leave(job.id());
    divide();
    changed.signalAll();
  }

  boolean isRunning(HostedJob job) {
    lock.lock();
    try {
      return running.contains(job);
    } finally {
      lock.unlock();
    }
  }

  /** Something about the jobs that wait has changed. */
  void change() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Has those run whose turn it is. */
  private void look() {
    List<HostedJob> inOrder =
        waiting.stream().filter(job -> !running.contains(job)).sorted(ORDER).toList();
    for (HostedJob job : inOrder) {
      if (!hasDisk(job)) {
        job.waits("too little is left free on the disk of " + job.output());
        continue;
      }
      if (running.size() >= limits.jobs()) {
        preempt(job);
        return;
      }
      if (!memory.fits(job.id(), job.need())) {
        preempt(job);
        if (!mayPass(job)) {
          return;
        }
        continue;
      }
      if (job.equals(blocked)) {
        blocked = null;
      }
      running.add(job);
      memory.enter(job.id(), job.need());
      changed.signalAll();
    }
  }

  /** Whether others may start before a job that is too large at present. */
  private boolean mayPass(HostedJob job) {
    if (blocked == null || !waiting.contains(blocked)) {
      blocked = job;
      blockedSince = nanos.getAsLong();
    }
    return !job.equals(blocked) || nanos.getAsLong() - blockedSince < PASSED_NANOS;
  }

  /**
   * Parks the least urgent job that runs, the youngest of those, if it is less urgent than this.
   */
  private void preempt(HostedJob urgent) {
    if (running.stream().anyMatch(HostedJob::isParking)) {
      return;
    }
    running.stream()
        .max(ORDER)
        .filter(last -> last.priority().compareTo(urgent.priority()) < 0)
        .ifPresent(last -> last.park("job %s is more urgent".formatted(urgent.id()), true));
  }

  private boolean hasDisk(HostedJob job) {
    long least = job.lacksDisk() ? 2 * limits.minFreeBytes() : limits.minFreeBytes();
    return freeBytes.applyAsLong(job.output()) >= least;
  }

  /** Whether what is left on the disk of a job that runs is too little. */
  boolean isDiskLow(HostedJob job) {
    return freeBytes.applyAsLong(job.output()) < limits.minFreeBytes();
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
    if (memory.divide(limits.jobs() > 1 && present() > 1)) {
      changed.signalAll();
    }
    running.forEach(job -> memory.share(job.id()).ifPresent(job::share));
  }

  /** How many run or wait. */
  private int present() {
    return running.size() + (int) waiting.stream().filter(job -> !running.contains(job)).count();
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
