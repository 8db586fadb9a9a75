package dev.fairlead.pool;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.DeviceProvider;
import dev.fairlead.device.Fault;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** A device at work: its books, its threads, and the context that is open on it. */
final class DeviceRuntime {
  private final DevicePool pool;
  private final Ledger ledger;
  private final Contexts contexts;
  private final AtomicReferenceArray<DeviceThread> deviceThreads;
  private final Set<ThreadCall<?, ?>> calls = ConcurrentHashMap.newKeySet();
  private final AtomicReference<@Nullable Probe> probing = new AtomicReference<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final CountDownLatch gone = new CountDownLatch(1);

  DeviceRuntime(DevicePool pool, Ledger ledger, @Nullable DeviceProvider provider) {
    this.pool = pool;
    this.ledger = ledger;
    this.contexts = new Contexts(this, provider);
    this.deviceThreads = new AtomicReferenceArray<>(ledger.device().slots());
    for (int number = 0; number < deviceThreads.length(); number++) {
      deviceThreads.set(number, new DeviceThread(this, number));
    }
  }

  DevicePool pool() {
    return pool;
  }

  Device device() {
    return ledger.device();
  }

  Ledger ledger() {
    return ledger;
  }

  /** The contexts that are opened on it, one after another. */
  Contexts contexts() {
    return contexts;
  }

  DeviceContext context() {
    return contexts.open().context();
  }

  /** Whose fault a failure is; the device's, if the backend cannot even say that. */
  Fault classify(Throwable failure) {
    try {
      return context().classify(failure);
    } catch (RuntimeException | Error confused) {
      pool.events().tell(new PoolListener.Event.Trouble(device(), "classifying", confused));
      return Fault.DEVICE;
    }
  }

  DeviceThread deviceThread(int number) {
    return deviceThreads.get(number);
  }

  Set<ThreadCall<?, ?>> calls() {
    return calls;
  }

  AtomicReference<@Nullable Probe> probing() {
    return probing;
  }

  long now() {
    return pool.now();
  }

  /** Ends a lease; false if it had ended before. */
  boolean end(Lease lease, @Nullable Fault fault, boolean unused) {
    return pool.endings().end(this, lease, fault, unused);
  }

  void callEnded(Lease lease, boolean well) {
    pool.endings().callEnded(this, lease, well);
  }

  /** Jobs have joined the device's queue that others may take over. */
  void joined(TrackedLease lease, Fleet seen, boolean first) {
    Fleet fleet = pool.fleet();
    if (fleet != seen) {
      // Devices have come or gone since the job was looked at: it may not know who could take it.
      QueueMoves.refresh(ledger, fleet);
      pool.stealing().joined(lease, fleet, ledger.place());
    } else if (first) {
      pool.stealing().joined(lease, fleet, ledger.place());
    }
  }

  /** One of the device's threads has nothing to do: there may be something in other queues. */
  void ranDry() {
    if (!ledger.has(LedgerWord.FULL | LedgerWord.SHUT | LedgerWord.AWAITED)) {
      DeviceThread.quietly(() -> pool.stealing().feed(this));
    }
  }

  /** Starts a chain of jobs that a ledger has given slots to. */
  static void startAll(@Nullable Lease chain) {
    for (Lease lease = chain; lease != null; ) {
      Lease following = lease.next;
      lease.next = null;
      start(lease);
      lease = following;
    }
  }

  /** Starts a job that a ledger has given a slot to. */
  static void start(Lease lease) {
    DeviceRuntime runtime = lease.runtime();
    DeviceThread deviceThread = runtime.deviceThread(lease.deviceThread());
    while (!deviceThread.start(lease)) {
      DeviceThread successor = runtime.deviceThread(lease.deviceThread());
      if (successor == deviceThread) {
        // The device has closed in between: the job is told, not lost.
        QueuedWork job = lease.job();
        lease.giveBack();
        if (job != null) {
          DeviceThread.quietly(() -> job.abandon(new PoolException.PoolClosed()));
        }
        return;
      }
      deviceThread = successor;
    }
  }

  /** Whether the device has left: nothing is opened on it any more. */
  boolean isClosed() {
    return closed.get();
  }

  /**
   * Gives up a probe that does not come back: its thread gets a successor, and what it is inside of
   * is left alone until it does.
   */
  void abandonProbe(Probe probe) {
    DeviceThread stuck = deviceThread(0);
    OpenContext left = contexts.abandonTo(probe);
    deviceThreads.set(0, new DeviceThread(this, 0));
    stuck.stop();
    stuck.interrupt();
    if (left != null) {
      boolean _ = deviceThread(0).post(() -> contexts.closeLate(left));
    }
  }

  /**
   * Gives up a lease whose work does not come back. The thread that is stuck in it cannot be
   * helped: it gets a successor, and its context is left alone for ever, since it may still be
   * using it.
   */
  void abandon(Lease lease, Duration ran) {
    int number = lease.deviceThread();
    DeviceThread stuck = deviceThread(number);
    PoolException.WorkHung reason = new PoolException.WorkHung(device(), ran, lease.holder());
    // The slot may be taken again as soon as the lease has ended, so its next thread comes first.
    deviceThreads.set(number, new DeviceThread(this, number));
    boolean hung = pool.endings().endHung(this, lease);
    stuck.stop();
    if (!hung) {
      return;
    }
    contexts.abandon();
    calls.stream().filter(call -> call.isOf(lease)).forEach(call -> call.giveUp(reason));
    QueuedWork job = lease.job();
    if (job != null) {
      DeviceThread.quietly(() -> job.abandon(reason));
    }
    // Last: whoever waits is to hear that it hung, not that it was interrupted.
    stuck.interrupt();
  }

  /** Closes the context on the device's own thread, and ends the threads; once, for all callers. */
  void close(Duration patience) {
    try {
      if (!closed.compareAndSet(false, true)) {
        boolean _ = gone.await(Timing.nanos(patience), TimeUnit.NANOSECONDS);
        return;
      }
      long begun = System.nanoTime();
      long nanos = Math.max(1_000_000, Timing.nanos(patience));
      contexts.close(patience, nanos);
      for (int number = 0; number < deviceThreads.length(); number++) {
        deviceThread(number).stop();
      }
      for (int number = 0; number < deviceThreads.length(); number++) {
        long left = Math.max(1_000_000, nanos - (System.nanoTime() - begun));
        deviceThread(number).join(Duration.ofNanos(left));
      }
      gone.countDown();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  void interruptLanes() {
    for (int number = 0; number < deviceThreads.length(); number++) {
      deviceThread(number).interrupt();
    }
  }
}
