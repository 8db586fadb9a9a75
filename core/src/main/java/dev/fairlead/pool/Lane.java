package dev.fairlead.pool;

import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.DeviceWork;
import dev.fairlead.device.Slot;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One of a device's own platform threads, owner of its context there. It is started by its first
 * errand and runs errands in the order in which they come.
 *
 * <p>Waking a parked thread costs tens of microseconds on both sides, so a lane that has run dry
 * looks for more for a while before it parks, and a job that is started by the end of another one
 * on the same lane is handed over without a queue.
 */
final class Lane implements Runnable {
  private static final int LOOKS_BEFORE_PARK = 2_000;

  private final Station station;
  private final int number;
  private final ConcurrentLinkedQueue<Runnable> inbox = new ConcurrentLinkedQueue<>();
  private volatile @Nullable Thread thread;
  private volatile boolean parked;
  private volatile boolean stopped;

  // Owned by the lane's thread.
  private @Nullable Lease handedOver;
  private @Nullable Slot slot;

  Lane(Station station, int number) {
    this.station = station;
    this.number = number;
  }

  @SuppressWarnings("ReferenceEquality")
  boolean isCurrent() {
    return Thread.currentThread() == thread;
  }

  /** Starts a job whose lease runs on this lane. */
  void start(Lease lease) {
    if (isCurrent() && handedOver == null) {
      handedOver = lease;
    } else {
      post(lease::runJob);
    }
  }

  void post(Runnable errand) {
    inbox.add(errand);
    if (thread == null) {
      begin();
    } else if (parked) {
      parked = false;
      LockSupport.unpark(thread);
    }
  }

  private synchronized void begin() {
    if (thread == null) {
      Thread fresh =
          Thread.ofPlatform()
              .name("fairlead " + station.device().label() + " lane " + number)
              .daemon()
              .unstarted(this);
      thread = fresh;
      fresh.start();
    }
  }

  /** Ends the thread once what is in the inbox has run. */
  void stop() {
    stopped = true;
    Thread running = thread;
    if (running != null) {
      LockSupport.unpark(running);
    }
  }

  /** Waits for a stopped lane to end; false if it did not in time. */
  boolean join(Duration patience) throws InterruptedException {
    Thread running = thread;
    return running == null || isCurrent() || running.join(patience);
  }

  void interrupt() {
    Thread running = thread;
    if (running != null) {
      running.interrupt();
    }
  }

  @Override
  public void run() {
    for (Runnable errand = next(); errand != null; errand = next()) {
      runSafely(errand);
      while (handedOver != null) {
        Lease lease = handedOver;
        handedOver = null;
        runSafely(lease::runJob);
      }
    }
  }

  /** A lane outlives whatever an errand throws; work that throws is the caller's, not seen here. */
  private static void runSafely(Runnable errand) {
    try {
      errand.run();
    } catch (Throwable failure) {
      report(failure);
    }
  }

  static void report(Throwable failure) {
    Thread thread = Thread.currentThread();
    thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
  }

  private @Nullable Runnable next() {
    for (int looks = 0; ; looks++) {
      Runnable errand = inbox.poll();
      if (errand != null) {
        return errand;
      }
      if (stopped) {
        return null;
      }
      if (looks < LOOKS_BEFORE_PARK) {
        Thread.onSpinWait();
      } else {
        parked = true;
        if (inbox.isEmpty() && !stopped) {
          LockSupport.park(this);
        }
        parked = false;
        Thread.interrupted();
      }
    }
  }

  /** Runs work on the current thread, which is this lane's, in the context of the day. */
  <R, X extends Exception> R execute(DeviceWork<R, X> work) throws X {
    Slot bound = slot;
    if (bound == null || bound.generation() != station.ledger().generation()) {
      DeviceContext context = station.context();
      int generation = station.ledger().generation();
      context.bind();
      bound = new Slot(station.device(), number, generation, context);
      slot = bound;
    }
    return bound.context().execute(work, bound);
  }
}
