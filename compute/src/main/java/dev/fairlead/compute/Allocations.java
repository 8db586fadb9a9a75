package dev.fairlead.compute;

import dev.fairlead.compute.driver.ComputeException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The memory of a device as far as it was allocated in one session. Whoever finds none left waits
 * for others to free some, for {@link #PATIENCE} at most: what they hold they may well need until
 * this one is done.
 */
final class Allocations {
  static final Duration PATIENCE = Duration.ofSeconds(2);

  private final DriverSession session;
  private final AtomicLong bytes = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition freed = lock.newCondition();
  private long frees;
  private int freeing;

  Allocations(DriverSession session) {
    this.session = session;
  }

  long bytes() {
    return bytes.get();
  }

  long allocate(long size) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      long before = frees();
      try {
        long handle = session.ask(driver -> driver.allocate(size));
        bytes.addAndGet(size);
        return handle;
      } catch (ComputeException.OutOfMemory none) {
        if (!freedSince(before, session.othersHaveBuffers(), deadline)) {
          throw none;
        }
      }
    }
  }

  void closed(long size) {
    bytes.addAndGet(-size);
  }

  /** Something is about to be freed; {@link #freed} follows. */
  void freeing() {
    lock.lock();
    try {
      freeing++;
    } finally {
      lock.unlock();
    }
  }

  /** Something was freed: those who wait try again. */
  void freed() {
    lock.lock();
    try {
      freeing--;
      frees++;
      freed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Something was closed, which the next call frees: those who wait call. */
  void discarded() {
    freeing();
    freed();
  }

  private long frees() {
    lock.lock();
    try {
      return frees;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until something has been freed; false if nothing was in time, or nobody could.
   *
   * @param others whether others had buffers; asked before this, since a buffer that is being freed
   *     is entered here before it is no longer one
   */
  private boolean freedSince(long before, boolean others, long deadline) {
    lock.lock();
    try {
      long left = deadline - System.nanoTime();
      while (frees == before && left > 0 && (others || freeing > 0)) {
        left = freed.awaitNanos(left);
      }
      return frees != before;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }
}
