package dev.fairlead.units;

import dev.fairlead.device.Fault;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.lease.QueuedWork;
import dev.fairlead.lease.Ticket;
import dev.fairlead.outcome.TaskException;
import dev.fairlead.policy.FairBooks;
import dev.fairlead.policy.Load;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One try of a unit on one device, as the pool sees it.
 *
 * <p>It settles once: when its work has come back, or when the pool gives it up. Whichever is first
 * is reported to the scheduler, after the lease has ended. A cancel interrupts the thread under
 * this object's lock, and the thread leaves under it, so that the interrupt cannot hit what runs
 * there next.
 */
final class UnitAttempt implements QueuedWork, BooleanSupplier {
  /** What became of a try. */
  sealed interface Ending {
    record Done(@Nullable Object value, Load load, long nanos) implements Ending {}

    record Failed(Throwable cause) implements Ending {}

    /** It never ran, by no fault of the unit. */
    record Unplaced(Throwable reason) implements Ending {}
  }

  /** Is notified of attempts, on the threads on which things happen. */
  interface Owner {
    long now();

    void started(UnitAttempt attempt);

    /** After its lease has ended. */
    void ended(UnitAttempt attempt, Ending ending);
  }

  /** How long an attempt stands in a queue before another device may have the unit. */
  private static final long STUCK_NANOS = 2 * NextLook.LEAST_NANOS;

  private final Owner owner;
  private final UnitTask<?> unit;
  private final ServedDevice served;
  private final Assignment why;
  private final boolean beyond;
  private volatile boolean cancelled;
  private @Nullable Thread runner; // guarded by this
  private boolean settled; // guarded by this

  /** How long the work had its slot; negative while it has. */
  private volatile long heldNanos = -1;

  /** Written before the pool places it, and again where it is placed anew. */
  private volatile @Nullable Ticket ticket;

  // Owned by the scheduler.
  private FairBooks.@Nullable Charge charge;
  private boolean started;
  private long startedAt;
  private long endsHere;
  private long endsOfKind;
  private boolean besideOthers;
  private final long launchedAt = System.nanoTime();

  /**
   * @param why it is tried on this device
   * @param beyond whether the device is given one more than its driver was seen to take
   */
  UnitAttempt(Owner owner, UnitTask<?> unit, ServedDevice served, Assignment why, boolean beyond) {
    this.owner = owner;
    this.unit = unit;
    this.served = served;
    this.why = why;
    this.beyond = beyond;
  }

  @Override
  public void run(Lease lease) {
    UnitWork<?> work = enter();
    if (work == null) {
      lease.giveBack();
      settle(new Ending.Unplaced(new TaskException.Cancelled("Cancelled before it ran")));
      return;
    }
    Load load = lease.load();
    owner.started(this);
    long from = owner.now();
    Ending ending;
    try {
      Object value = lease.run(slot -> work.run(slot, this));
      ending = new Ending.Done(value, load, owner.now() - from);
    } catch (Throwable thrown) {
      ending = new Ending.Failed(thrown);
    }
    heldNanos = owner.now() - from;
    leave();
    end(lease, ending);
    settle(ending);
  }

  private synchronized @Nullable UnitWork<?> enter() {
    runner = cancelled ? null : Thread.currentThread();
    return cancelled ? null : unit.work();
  }

  private synchronized void leave() {
    runner = null;
    boolean _ = Thread.interrupted();
  }

  /** A device is not to blame for work that was cancelled, nor for what it is not meant for. */
  private void end(Lease lease, Ending ending) {
    if (ending instanceof Ending.Done done && done.value() instanceof TimedResult timed) {
      long worked = Math.max(1, Math.round(done.nanos() * timed.workedShare()));
      double size = unit.demand().work().size() * timed.sizeShare();
      lease.succeedIfOpen(size, Duration.ofNanos(worked));
    } else if (!(ending instanceof Ending.Failed(Throwable cause))) {
      lease.succeedIfOpen();
    } else if (cause instanceof UnfitForGroup
        || cause instanceof NotNow
        || (cancelled && Fault.of(cause) == Fault.WORK)) {
      lease.giveBack();
    } else {
      lease.fail(cause);
    }
  }

  /** The pool will not run it, or has given it up as hung. */
  @Override
  public void abandon(Throwable reason) {
    settle(
        reason instanceof PoolException.WorkHung
            ? new Ending.Failed(reason)
            : new Ending.Unplaced(reason));
  }

  private void settle(Ending ending) {
    synchronized (this) {
      if (settled) {
        return;
      }
      settled = true;
    }
    owner.ended(this, ending);
  }

  /** Marks its result as not wanted, and interrupts the work. */
  synchronized void cancel() {
    cancelled = true;
    if (runner != null) {
      runner.interrupt();
    }
  }

  @Override
  public boolean getAsBoolean() {
    return cancelled;
  }

  @Override
  public String holder() {
    return unit.toString();
  }

  // ---- for the scheduler

  UnitTask<?> unit() {
    return unit;
  }

  ServedDevice served() {
    return served;
  }

  boolean isClone() {
    return why.asClone();
  }

  Assignment why() {
    return why;
  }

  /** What its tenant was charged for it; null if nothing, or if that is settled. */
  FairBooks.@Nullable Charge charge() {
    return charge;
  }

  void charge(FairBooks.@Nullable Charge value) {
    charge = value;
  }

  boolean isBeyond() {
    return beyond;
  }

  @Override
  public void accepted(Ticket fresh) {
    ticket = fresh;
  }

  @Nullable Ticket ticket() {
    return ticket;
  }

  /**
   * It has started.
   *
   * @param here how many attempts had ended on its device by then
   * @param ofKind the same on all devices of the kind
   */
  void begun(long now, long here, long ofKind) {
    started = true;
    startedAt = now;
    endsHere = here;
    endsOfKind = ofKind;
  }

  /** Others run on its device meanwhile. */
  void besideOthers() {
    besideOthers = true;
  }

  /** Whether others have run on its device meanwhile. */
  boolean wasBesideOthers() {
    return besideOthers;
  }

  long endsHere() {
    return endsHere;
  }

  long endsOfKind() {
    return endsOfKind;
  }

  boolean hasStarted() {
    return started;
  }

  long elapsedNanos(long now) {
    return started ? now - startedAt : 0;
  }

  /** For how long it had its slot, or has had it so far. */
  long heldNanos(long now) {
    long whole = heldNanos;
    return whole >= 0 ? whole : elapsedNanos(now);
  }

  /** Has stood in a queue for a while, so that a device that is free may have it. */
  boolean isStuck() {
    return !started && System.nanoTime() - launchedAt >= STUCK_NANOS;
  }

  /** How long it takes until it is stuck, if it is not and does not start before. */
  long nanosUntilStuck() {
    return started || isStuck()
        ? NextLook.NEVER
        : Math.max(0, STUCK_NANOS - (System.nanoTime() - launchedAt));
  }
}
