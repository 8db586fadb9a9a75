package dev.fairlead.run;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.DeviceProvider;
import dev.fairlead.device.DeviceWork;
import dev.fairlead.device.Fault;
import dev.fairlead.event.PoolListener;
import dev.fairlead.lease.PoolException;
import dev.fairlead.lease.QueuedWork;
import dev.fairlead.ledger.HeldLease;
import dev.fairlead.ledger.LeaseHost;
import dev.fairlead.ledger.Ledger;
import dev.fairlead.ledger.LedgerWord;
import dev.fairlead.ledger.Releases;
import dev.fairlead.notify.ForeignCode;
import dev.fairlead.policy.Load;
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
public final class DeviceRuntime implements LeaseHost {
  private final DeviceOwner owner;
  private final Ledger ledger;
  private final Contexts contexts;
  private final AtomicReferenceArray<DeviceThread> deviceThreads;
  private final Set<ThreadCall<?, ?>> calls = ConcurrentHashMap.newKeySet();
  private final AtomicReference<@Nullable Probe> probing = new AtomicReference<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final CountDownLatch gone = new CountDownLatch(1);

  public DeviceRuntime(DeviceOwner owner, Ledger ledger, @Nullable DeviceProvider provider) {
    this.owner = owner;
    this.ledger = ledger;
    this.contexts = new Contexts(this, provider);
    this.deviceThreads = new AtomicReferenceArray<>(ledger.device().slots());
    for (int number = 0; number < deviceThreads.length(); number++) {
      deviceThreads.set(number, new DeviceThread(this, number));
    }
  }

  /** The device that a lease is on. */
  public static DeviceRuntime of(HeldLease lease) {
    return (DeviceRuntime) lease.host();
  }

  DeviceOwner owner() {
    return owner;
  }

  @Override
  public Device device() {
    return ledger.device();
  }

  public Ledger ledger() {
    return ledger;
  }

  /** The contexts that are opened on it, one after another. */
  public Contexts contexts() {
    return contexts;
  }

  DeviceContext context() {
    return contexts.open().context();
  }

  /** The device's fault, if the backend cannot even say whose it is. */
  @Override
  public Fault classify(Throwable failure) {
    try {
      return context().classify(failure);
    } catch (RuntimeException | Error confused) {
      owner.events().tell(new PoolListener.Event.Trouble(device(), "classifying", confused));
      return Fault.DEVICE;
    }
  }

  public DeviceThread deviceThread(int number) {
    return deviceThreads.get(number);
  }

  public AtomicReference<@Nullable Probe> probing() {
    return probing;
  }

  @Override
  public long now() {
    return owner.now();
  }

  @Override
  public int index() {
    return ledger.index();
  }

  @Override
  public int generation() {
    return ledger.generation();
  }

  @Override
  public Load loadAt(int depth, long freeBytes, long nanos) {
    return ledger.loadAt(depth, freeBytes, nanos);
  }

  @Override
  public void runJob(HeldLease lease, QueuedWork job) {
    owner.run(lease, job);
  }

  @Override
  public void note(HeldLease lease, Throwable failure) {
    Releases.note(ledger, lease, classify(failure));
  }

  @Override
  public boolean handOver(HeldLease lease) {
    return Releases.handOver(ledger, lease, now());
  }

  @Override
  public boolean end(HeldLease lease, @Nullable Fault fault, boolean unused) {
    return owner.end(this, lease, fault, unused);
  }

  @Override
  public void callEnded(HeldLease lease, boolean well) {
    owner.callEnded(this, lease, well);
  }

  @Override
  public <R, X extends Exception> R run(HeldLease lease, DeviceWork<R, X> work)
      throws X, InterruptedException {
    contexts.openFor(lease.demand());
    DeviceThread its = deviceThread(lease.deviceThread());
    return its.isCurrent() ? runHere(lease, its, work) : call(lease, its, work);
  }

  private <R, X extends Exception> R runHere(
      HeldLease lease, DeviceThread its, DeviceWork<R, X> work) throws X {
    lease.check();
    try {
      R result = its.execute(work);
      if (!lease.isJob()) {
        Releases.noteSuccess(ledger, lease);
      }
      return result;
    } catch (Throwable failure) {
      note(lease, failure);
      throw failure;
    }
  }

  private <R, X extends Exception> R call(HeldLease lease, DeviceThread its, DeviceWork<R, X> work)
      throws X, InterruptedException {
    lease.check();
    if (!Releases.callStarts(ledger, lease, now())) {
      lease.check();
      throw lease.endedBefore();
    }
    // Closing looks for calls after it has set the mark: one of the two sees the other.
    if (isClosed()) {
      callEnded(lease, false);
      throw new PoolException.PoolClosed();
    }
    ThreadCall<R, X> call = new ThreadCall<>(lease, its, work);
    calls.add(call);
    try {
      if (!its.post(call)) {
        callEnded(lease, false);
        throw new PoolException.PoolClosed();
      }
      return call.await();
    } finally {
      calls.remove(call);
    }
  }

  /** One of the device's threads has nothing to do: there may be something in other queues. */
  void ranDry() {
    if (!ledger.has(LedgerWord.FULL | LedgerWord.SHUT | LedgerWord.AWAITED)) {
      ForeignCode.quietly(() -> owner.ranDry(this));
    }
  }

  /** Starts a chain of jobs that a ledger has given slots to. */
  public static void startAll(@Nullable HeldLease chain) {
    for (HeldLease lease = chain; lease != null; ) {
      HeldLease following = lease.takeNext();
      start(lease);
      lease = following;
    }
  }

  /** Starts a job that a ledger has given a slot to. */
  public static void start(HeldLease lease) {
    DeviceRuntime runtime = of(lease);
    DeviceThread deviceThread = runtime.deviceThread(lease.deviceThread());
    while (!deviceThread.start(lease)) {
      DeviceThread successor = runtime.deviceThread(lease.deviceThread());
      if (successor == deviceThread) {
        // The device has closed in between: the job is abandoned, not lost.
        QueuedWork job = lease.job();
        lease.giveBack();
        if (job != null) {
          ForeignCode.quietly(() -> job.abandon(new PoolException.PoolClosed()));
        }
        return;
      }
      deviceThread = successor;
    }
  }

  /** Whether the device has left: nothing is opened on it any more. */
  public boolean isClosed() {
    return closed.get();
  }

  /**
   * Gives up a probe that does not come back: its thread gets a successor, and what it is inside of
   * is left alone until it does.
   */
  public void abandonProbe(Probe probe) {
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
  public void abandon(HeldLease lease, Duration ran) {
    int number = lease.deviceThread();
    DeviceThread stuck = deviceThread(number);
    PoolException.WorkHung reason = new PoolException.WorkHung(device(), ran, lease.holder());
    // The slot may be taken again as soon as the lease has ended, so its next thread comes first.
    deviceThreads.set(number, new DeviceThread(this, number));
    boolean hung = owner.endHung(this, lease);
    stuck.stop();
    if (!hung) {
      return;
    }
    contexts.abandon();
    calls.stream().filter(call -> call.isOf(lease)).forEach(call -> call.giveUp(reason));
    QueuedWork job = lease.job();
    if (job != null) {
      ForeignCode.quietly(() -> job.abandon(reason));
    }
    // Last: callers that wait get the report that it hung, not that it was interrupted.
    stuck.interrupt();
  }

  /** Closes the context on the device's own thread, and ends the threads; once, for all callers. */
  public void close(Duration patience) {
    try {
      if (!closed.compareAndSet(false, true)) {
        boolean _ = gone.await(TimeUnit.NANOSECONDS.convert(patience), TimeUnit.NANOSECONDS);
        return;
      }
      long begun = System.nanoTime();
      long nanos = Math.max(1_000_000, TimeUnit.NANOSECONDS.convert(patience));
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

  public void interruptLanes() {
    for (int number = 0; number < deviceThreads.length(); number++) {
      deviceThread(number).interrupt();
    }
  }
}
