package dev.fairlead.run;

import dev.fairlead.device.DeviceWork;
import dev.fairlead.ledger.HeldLease;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One run of work on a thread for a caller on another thread.
 *
 * <p>State line: WAITING → RUNNING → RETURNED → DONE, and WAITING → DONE if the caller was
 * interrupted before the thread came to it. That the work has RETURNED is in the books before its
 * caller sees it, which may close the lease at once. A caller that is interrupted later leaves at
 * once; the work is interrupted, goes on to its end on the thread, and only then does the lease
 * end, since the device is busy until then.
 */
final class ThreadCall<R, X extends Exception> implements Runnable {
  private enum State {
    WAITING,
    RUNNING,
    RETURNED,
    DONE
  }

  private final HeldLease lease;
  private final DeviceThread deviceThread;
  private final DeviceWork<R, X> work;
  private final Thread caller = Thread.currentThread();
  private volatile State state = State.WAITING;
  private @Nullable R result;
  private @Nullable Throwable failure;

  ThreadCall(HeldLease lease, DeviceThread deviceThread, DeviceWork<R, X> work) {
    this.lease = lease;
    this.deviceThread = deviceThread;
    this.work = work;
  }

  @Override
  @SuppressWarnings("CatchingUnchecked")
  public void run() {
    synchronized (this) {
      if (state == State.DONE) {
        return;
      }
      state = State.RUNNING;
    }
    R value = null;
    Throwable thrown = null;
    try {
      value = deviceThread.execute(work);
    } catch (Throwable any) {
      thrown = any;
      lease.host().note(lease, any);
    }
    synchronized (this) {
      if (state == State.RUNNING) {
        result = value;
        failure = thrown;
        state = State.RETURNED;
      }
      // An interrupt meant for this work must not reach the next one.
      Thread.interrupted();
    }
    try {
      lease.host().callEnded(lease, thrown == null);
    } finally {
      state = State.DONE;
      LockSupport.unpark(caller);
    }
  }

  boolean isOf(HeldLease asked) {
    return lease == asked;
  }

  /** Ends the call for its caller, whatever the work does. */
  void giveUp(Throwable reason) {
    synchronized (this) {
      if (state == State.WAITING || state == State.RUNNING) {
        failure = reason;
        state = State.DONE;
      }
    }
    LockSupport.unpark(caller);
  }

  /** The work's result, or its exception as it was thrown. */
  @SuppressWarnings({"unchecked", "NullAway"}) // the work's own type says whether R is null
  R await() throws X, InterruptedException {
    while (state != State.DONE) {
      LockSupport.park(this);
      if (Thread.interrupted()) {
        leave();
        throw new InterruptedException("Interrupted while work ran on " + lease.device());
      }
    }
    if (failure instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure != null) {
      throw (X) failure;
    }
    return result;
  }

  private void leave() {
    boolean unstarted;
    synchronized (this) {
      unstarted = state == State.WAITING;
      if (unstarted) {
        state = State.DONE;
      } else if (state == State.RUNNING) {
        deviceThread.interrupt();
      }
    }
    if (unstarted) {
      lease.host().callEnded(lease, false);
    }
  }
}
