package dev.fairlead.run;

import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.DeviceWork;
import dev.fairlead.device.Slot;
import dev.fairlead.ledger.HeldLease;
import dev.fairlead.notify.ForeignCode;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One of a device's own platform threads, owner of its context there. It is started by its first
 * errand and runs errands in the order in which they come.
 *
 * <p>Waking a parked thread costs tens of microseconds on both sides, so a thread that has run dry
 * looks for more for a while before it parks, letting others have the core meanwhile; in between
 * its device takes over what waits in the queues of others. A job that is started by the end of
 * another one on the same thread is handed over without a queue.
 */
public final class DeviceThread implements Runnable {
  private static final int LOOKS_BEFORE_YIELD = 50;

  /**
   * After some yields: the thread whose queue it would take from may only be off its core, and
   * works off short jobs for a fraction of what taking them over costs.
   */
  private static final int LOOKS_BEFORE_TAKING = 60;

  private static final int LOOKS_BEFORE_PARK = 300;

  private final DeviceRuntime runtime;
  private final int number;
  private final ConcurrentLinkedQueue<Runnable> inbox = new ConcurrentLinkedQueue<>();
  private volatile @Nullable OwnedThread thread;
  private volatile boolean parked;
  private volatile boolean stopped;
  private volatile boolean ended;

  /** A thread that knows whose it is: work on it must not wait for the same pool for ever. */
  private static final class OwnedThread extends Thread {
    private final DeviceThread deviceThread;

    OwnedThread(DeviceThread deviceThread, String name) {
      super(deviceThread, name);
      this.deviceThread = deviceThread;
      setDaemon(true);
    }
  }

  /** Whether the current thread belongs to a device of the pool. */
  @SuppressWarnings("ReferenceEquality")
  public static boolean isOf(DeviceOwner owner) {
    return Thread.currentThread() instanceof OwnedThread thread
        && thread.deviceThread.runtime.owner() == owner;
  }

  /** Whether the current thread is one of the device's, and was not given up. */
  public static boolean isOf(DeviceRuntime device) {
    return Thread.currentThread() instanceof OwnedThread thread
        && thread.deviceThread.runtime == device
        && device.deviceThread(thread.deviceThread.number) == thread.deviceThread;
  }

  // Owned by the thread itself.
  private @Nullable HeldLease handedOver;
  private @Nullable Slot slot;

  public DeviceThread(DeviceRuntime runtime, int number) {
    this.runtime = runtime;
    this.number = number;
  }

  @SuppressWarnings("ReferenceEquality")
  boolean isCurrent() {
    return Thread.currentThread() == thread;
  }

  /** Starts a job whose lease runs on this thread; false if the thread has ended. */
  boolean start(HeldLease lease) {
    if (isCurrent() && handedOver == null) {
      handedOver = lease;
      return true;
    }
    return post(lease::runJob);
  }

  /** Leaves an errand; false if the thread has ended, so that it would never run. */
  public boolean post(Runnable errand) {
    inbox.add(errand);
    if (ended) {
      // The thread drains its inbox after it has ended: the one that removes the errand decides.
      return !inbox.remove(errand);
    }
    if (thread == null) {
      return begin() || !inbox.remove(errand);
    }
    if (parked) {
      parked = false;
      LockSupport.unpark(thread);
    }
    return true;
  }

  /** Starts the thread; false if it was stopped before it ever ran. */
  private synchronized boolean begin() {
    if (thread == null && !stopped) {
      OwnedThread fresh =
          new OwnedThread(this, "fairlead " + runtime.device().label() + " thread " + number);
      // Known before it runs: its first errand asks whether it runs on this very thread.
      thread = fresh;
      try {
        fresh.start();
      } catch (Throwable noThread) {
        thread = null;
        throw noThread;
      }
    }
    return thread != null;
  }

  /** Ends the thread once what is in the inbox has run. */
  public void stop() {
    synchronized (this) {
      stopped = true;
      ended |= thread == null;
    }
    Thread running = thread;
    if (running != null) {
      LockSupport.unpark(running);
    }
  }

  /** Waits for a stopped thread to end; false if it did not in time. */
  public boolean join(Duration patience) throws InterruptedException {
    Thread running = thread;
    return running == null || isCurrent() || running.join(patience);
  }

  void interrupt() {
    Thread running = thread;
    if (running != null) {
      running.interrupt();
    }
  }

  /** Errands are not held in this frame, so that what they hold can go while the thread waits. */
  @Override
  public void run() {
    while (performNext()) {}
    ended = true;
    for (Runnable late = inbox.poll(); late != null; late = inbox.poll()) {
      perform(late);
    }
  }

  private boolean performNext() {
    if (!await()) {
      return false;
    }
    performHandedOver();
    Runnable errand = inbox.poll();
    if (errand != null) {
      perform(errand);
    }
    return true;
  }

  /**
   * A thread outlives whatever an errand throws; what work throws is its caller's, not seen here.
   */
  private void perform(Runnable errand) {
    ForeignCode.quietly(errand);
    performHandedOver();
    Thread.interrupted();
  }

  private void performHandedOver() {
    while (handedOver != null) {
      HeldLease lease = handedOver;
      handedOver = null;
      // An interrupt that work has left behind is not meant for the next one.
      Thread.interrupted();
      lease.runJob();
    }
  }

  /** Waits for an errand; false if none will come any more. */
  @SuppressWarnings("ThreadPriorityCheck") // a core is given up in between, not relied upon
  private boolean await() {
    for (int looks = 0; ; looks++) {
      if (handedOver != null || !inbox.isEmpty()) {
        return true;
      }
      if (stopped) {
        return false;
      }
      if (looks < LOOKS_BEFORE_YIELD) {
        Thread.onSpinWait();
      } else if (looks == LOOKS_BEFORE_TAKING || looks == LOOKS_BEFORE_PARK) {
        runtime.ranDry();
      } else if (looks < LOOKS_BEFORE_PARK) {
        Thread.yield();
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

  /** Runs work on the current thread, which is this thread's, in the context of the day. */
  @SuppressWarnings("ReferenceEquality") // two contexts that are equal are still two
  public <R, X extends Exception> R execute(DeviceWork<R, X> work) throws X {
    Slot bound = slot;
    DeviceContext context = runtime.context();
    int generation = runtime.ledger().generation();
    if (bound == null || bound.context() != context || bound.generation() != generation) {
      context.bind();
      bound = new Slot(runtime.device(), number, generation, context);
      slot = bound;
    }
    return bound.context().execute(work, bound);
  }
}
