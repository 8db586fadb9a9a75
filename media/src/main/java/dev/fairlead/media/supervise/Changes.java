package dev.fairlead.media.supervise;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Changes of what a lock guards, for threads that wait and for units that come again. */
final class Changes {
  private final ReentrantLock lock;
  private final Condition changed;
  private CompletableFuture<Void> next = new CompletableFuture<>(); // guarded by the lock

  Changes(ReentrantLock lock) {
    this.lock = lock;
    this.changed = lock.newCondition();
  }

  /** Wakes all. */
  void signal() {
    lock.lock();
    try {
      changed.signalAll();
      CompletableFuture<Void> before = next;
      next = new CompletableFuture<>();
      before.complete(null);
    } finally {
      lock.unlock();
    }
  }

  /** Ends with the next change. */
  CompletionStage<Void> next() {
    lock.lock();
    try {
      return next;
    } finally {
      lock.unlock();
    }
  }

  /** The same, or when so much time has passed. */
  CompletionStage<Void> nextWithin(Duration most) {
    return next()
        .toCompletableFuture()
        .copy()
        .completeOnTimeout(null, most.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Waits for the next change, with the lock held; may end without one. */
  @SuppressWarnings("WaitNotInLoop") // callers have the loop
  void await() throws InterruptedException {
    changed.await();
  }

  /** The same. */
  @SuppressWarnings("WaitNotInLoop") // callers have the loop
  void awaitUninterruptibly() {
    changed.awaitUninterruptibly();
  }
}
