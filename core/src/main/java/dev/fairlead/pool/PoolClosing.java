package dev.fairlead.pool;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** Lets the first of several callers close something, while the others wait until that is done. */
final class PoolClosing {
  private final AtomicBoolean begun = new AtomicBoolean();
  private final CountDownLatch done = new CountDownLatch(1);

  /** Closes, or waits until another caller has; an interrupt is kept for later. */
  void once(Runnable close) {
    if (begun.compareAndSet(false, true)) {
      try {
        close.run();
      } finally {
        done.countDown();
      }
    } else {
      awaitDone();
    }
  }

  private void awaitDone() {
    boolean interrupted = false;
    while (done.getCount() > 0) {
      try {
        done.await();
      } catch (InterruptedException again) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
