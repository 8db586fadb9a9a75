package dev.fairlead.pool;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.DeviceException;
import dev.fairlead.device.DeviceProvider;
import dev.fairlead.device.Discovery.Problem;
import dev.fairlead.device.Fault;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A device at work: its books, its threads, and the context that is open on it. */
final class Station {
  private final DevicePool pool;
  private final Ledger ledger;
  private final @Nullable DeviceProvider provider;
  private final AtomicReferenceArray<Lane> lanes;
  private final Set<Call<?, ?>> calls = ConcurrentHashMap.newKeySet();
  private final AtomicReference<@Nullable Probe> probing = new AtomicReference<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final CountDownLatch gone = new CountDownLatch(1);
  private volatile OpenContext open;
  private volatile boolean contextAbandoned;

  Station(DevicePool pool, Ledger ledger, @Nullable DeviceProvider provider) {
    this.pool = pool;
    this.ledger = ledger;
    this.provider = provider;
    this.open = without(0);
    this.lanes = new AtomicReferenceArray<>(ledger.device().slots());
    for (int number = 0; number < lanes.length(); number++) {
      lanes.set(number, new Lane(this, number));
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

  DeviceContext context() {
    return open.context();
  }

  /** The context of the day, to be asked for its load, or bound by a caller. */
  OpenContext open() {
    return open;
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

  Lane lane(int number) {
    return lanes.get(number);
  }

  Set<Call<?, ?>> calls() {
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
    return pool.steward().end(this, lease, fault, unused);
  }

  void callEnded(Lease lease, boolean well) {
    pool.steward().callEnded(this, lease, well);
  }

  /** Jobs have joined the device's queue that others may take over. */
  void joined(TrackedLease lease, Fleet seen, boolean first) {
    Fleet fleet = pool.fleet();
    if (fleet != seen) {
      // Devices have come or gone since the job was looked at: it may not know who could take it.
      QueueMoves.refresh(ledger, fleet);
      pool.taking().joined(lease, fleet, ledger.place());
    } else if (first) {
      pool.taking().joined(lease, fleet, ledger.place());
    }
  }

  /** One of the device's threads has nothing to do: there may be something in other queues. */
  void ranDry() {
    if (!ledger.has(LedgerWord.FULL | LedgerWord.SHUT | LedgerWord.AWAITED)) {
      Lane.quietly(() -> pool.taking().feed(this));
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
    Station station = lease.station();
    Lane lane = station.lane(lease.lane());
    while (!lane.start(lease)) {
      Lane successor = station.lane(lease.lane());
      if (successor == lane) {
        // The device has closed in between: the job is told, not lost.
        Job job = lease.job();
        lease.giveBack();
        if (job != null) {
          Lane.quietly(() -> job.abandon(new PoolException.PoolClosed()));
        }
        return;
      }
      lane = successor;
    }
  }

  /** Begins to open the context on the device's own thread; fails with the backend's exception. */
  CompletableFuture<Void> openContext() {
    if (provider == null) {
      return CompletableFuture.completedFuture(null);
    }
    return CompletableFuture.runAsync(
        () -> open = OpenContext.of(provider.open(device()), 0), lane(0)::post);
  }

  /**
   * Waits for the context. A device that has no room for one now is not given up: it is in
   * quarantine, and the probe that ends it opens the context.
   *
   * @return why there is none yet; empty if there is one
   * @throws CompletionException with the backend's exception, or a TimeoutException
   */
  Optional<Throwable> awaitContext(CompletableFuture<Void> opening, long nanos) {
    try {
      opening.orTimeout(nanos, TimeUnit.NANOSECONDS).join();
      return Optional.empty();
    } catch (CompletionException failure) {
      Throwable reason = failure.getCause();
      if (reason == null || !Fault.of(reason).isLackOfRoom()) {
        throw failure;
      }
      ledger.change(standing -> standing.breaker().refused(now()));
      return Optional.of(reason);
    }
  }

  /** What stands for a context that has not been opened; devices without a backend need none. */
  private OpenContext without(int generation) {
    return provider == null
        ? OpenContext.of(DeviceContext.none(), generation)
        : OpenContext.absent(generation);
  }

  /** Whether the device has left: nothing is opened on it any more. */
  boolean isClosed() {
    return closed.get();
  }

  /** Opens another context under a new generation; runs on the device's own thread. */
  void rebuild(Duration patience) {
    // From here on leases of the old generation begin nothing, so that what is inside comes out.
    int generation = ledger.nextGeneration();
    if (provider != null) {
      OpenContext old = open;
      // After a poisoning fault the old context may well refuse; that must not stop the new one.
      troubled("closing a poisoned context", () -> leave(old, patience));
      open = without(generation);
      contextAbandoned = false;
      install(OpenContext.of(provider.open(device()), generation), generation);
    } else {
      open = without(generation);
    }
    pool.events().tell(new PoolListener.Event.Rebuilt(device(), generation));
  }

  /** Puts a context to use, unless it took so long to open that another one was begun. */
  private void install(OpenContext fresh, int generation) {
    synchronized (this) {
      if (generation == ledger.generation()) {
        open = fresh;
        return;
      }
    }
    fresh.context().close();
    throw new IllegalStateException("The context was given up before it had opened");
  }

  /**
   * Gives up a probe that does not come back: its thread gets a successor, and what it is inside of
   * is left alone until it does. If hung work is in there as well, that is for ever.
   */
  void abandonProbe(Probe probe) {
    Lane stuck = lane(0);
    OpenContext left;
    boolean others;
    synchronized (this) {
      left = open;
      others = contextAbandoned;
      open = without(ledger.nextGeneration());
      contextAbandoned = true;
    }
    lanes.set(0, new Lane(this, 0));
    stuck.stop();
    stuck.interrupt();
    if (!others && probe.leave(left)) {
      boolean _ = lane(0).post(() -> closeLate(left));
    }
  }

  /** Closes a context that a probe was left in, on a thread of the device. */
  void closeLate(@Nullable OpenContext left) {
    if (left != null && !left.isAbsent()) {
      troubled(
          "closing the context of a probe that was given up",
          () -> {
            if (!left.shutOut(pool.options().timing().grace())) {
              throw stillInUse();
            }
            left.context().close();
          });
    }
  }

  /**
   * Closes a context, unless something is inside that does not come out: then it stays for ever.
   */
  private void leave(OpenContext old, Duration patience) {
    long begun = System.nanoTime();
    long nanos = Timing.nanos(patience);
    while (ledger.isWorking() && System.nanoTime() - begun < nanos) {
      LockSupport.parkNanos(this, 500_000);
    }
    if (contextAbandoned) {
      return;
    }
    long left = nanos - (System.nanoTime() - begun);
    if (ledger.isWorking() || !old.shutOut(Duration.ofNanos(left))) {
      throw stillInUse();
    }
    old.context().close();
  }

  /** The device as something that cannot be used, for people to read. */
  Problem problem(Throwable reason) {
    if (reason instanceof TimeoutException) {
      return new Problem(
          device().label(),
          "did not open within " + pool.options().timing().opening().toMillis() + " ms");
    }
    boolean spoken = reason instanceof DeviceException && reason.getMessage() != null;
    return new Problem(
        device().label(), spoken ? String.valueOf(reason.getMessage()) : reason.toString());
  }

  private static IllegalStateException stillInUse() {
    return new IllegalStateException("It is still in use, and is left open");
  }

  private void troubled(String what, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error failure) {
      Throwable cause = failure.getCause();
      Throwable reason = failure instanceof CompletionException && cause != null ? cause : failure;
      pool.events()
          .tell(
              new PoolListener.Event.Trouble(
                  device(), what, reason instanceof TimeoutException ? stillInUse() : reason));
    }
  }

  /**
   * Gives up a lease whose work does not come back. The thread that is stuck in it cannot be
   * helped: it gets a successor, and its context is left alone for ever, since it may still be
   * using it.
   */
  void abandon(Lease lease, Duration ran) {
    int number = lease.lane();
    Lane stuck = lane(number);
    PoolException.WorkHung reason = new PoolException.WorkHung(device(), ran, lease.holder());
    // The slot may be taken again as soon as the lease has ended, so its next thread comes first.
    lanes.set(number, new Lane(this, number));
    boolean hung = pool.steward().endHung(this, lease);
    stuck.stop();
    if (!hung) {
      return;
    }
    contextAbandoned = true;
    calls.stream().filter(call -> call.isOf(lease)).forEach(call -> call.giveUp(reason));
    Job job = lease.job();
    if (job != null) {
      Lane.quietly(() -> job.abandon(reason));
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
      if (provider != null) {
        troubled(
            "closing the context",
            () -> leaveOnLane(patience).orTimeout(nanos, TimeUnit.NANOSECONDS).join());
      }
      for (int number = 0; number < lanes.length(); number++) {
        lane(number).stop();
      }
      for (int number = 0; number < lanes.length(); number++) {
        long left = Math.max(1_000_000, nanos - (System.nanoTime() - begun));
        lane(number).join(Duration.ofNanos(left));
      }
      gone.countDown();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Closes the context when the device's thread comes to it, though nobody may wait any more. */
  private CompletableFuture<Void> leaveOnLane(Duration patience) {
    CompletableFuture<Void> left = new CompletableFuture<>();
    boolean posted =
        lane(0)
            .post(() -> {
              try {
                leave(open, patience);
                left.complete(null);
              } catch (RuntimeException | Error failure) {
                left.completeExceptionally(failure);
              }
            });
    if (!posted) {
      left.complete(null);
    }
    return left;
  }

  void interruptLanes() {
    for (int number = 0; number < lanes.length(); number++) {
      lane(number).interrupt();
    }
  }
}
