package dev.fairlead.ledger;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceWork;
import dev.fairlead.device.Fault;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.lease.QueuedWork;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Load;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A lease as the books know it: what its holder sees of it, and where it stands, in 64 bytes.
 * Fields whose times do not overlap share a place.
 */
public sealed class HeldLease implements Lease permits TrackedLease {
  private static final short DROPPED = -3;
  private static final short QUEUED = -2;
  private static final short NOWHERE = -1;

  private static final VarHandle HOST;
  private static final VarHandle STATE;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      HOST = lookup.findVarHandle(HeldLease.class, "host", LeaseHost.class);
      STATE = lookup.findVarHandle(HeldLease.class, "state", int.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  /** The next one in a line or chain; guarded by the ledger, then by the taker of the chain. */
  @Nullable HeldLease next;

  /** As {@link LeaseState} has it. */
  private volatile int state;

  private final Demand demand;
  private Object holder;

  @SuppressWarnings("unused") // written through HOST
  private @Nullable LeaseHost host;

  private short deviceThread = NOWHERE;
  private final boolean plain;
  private final boolean simple;
  private int depth;
  private int generation;

  /** Predicted seconds until it starts; then, if it ends with another size, that size, negative. */
  private float measure;

  private long nanos;
  private long freeBytes;

  /**
   * @param holder the thread or the job that wants it
   * @param plain whether one slot is all that the demand asks for
   * @param rank when it came, less the head start of its priority
   */
  public HeldLease(Demand demand, Object holder, boolean plain, long rank) {
    STATE.set(this, LeaseState.first(holder instanceof QueuedWork));
    this.demand = demand;
    this.holder = holder;
    this.plain = plain;
    this.simple = plain && holder instanceof Thread;
    this.nanos = rank;
  }

  // ---- for its holder

  @Override
  public Device device() {
    return host().device();
  }

  @Override
  public int index() {
    return host().index();
  }

  @Override
  public Demand demand() {
    return demand;
  }

  @Override
  public int generation() {
    return generation;
  }

  @Override
  public Load load() {
    return host().loadAt(depth, freeBytes, nanos);
  }

  @Override
  public Duration age() {
    return Duration.ofNanos(host().now() - nanos);
  }

  @Override
  public <R, X extends Exception> R run(DeviceWork<R, X> work) throws X, InterruptedException {
    return host().run(this, Objects.requireNonNull(work, "work is null"));
  }

  @Override
  public void succeed() {
    if (!end(null, false)) {
      throw endedBefore();
    }
  }

  @Override
  public void succeedIfOpen() {
    end(null, false);
  }

  @Override
  public void succeedIfOpen(double size) {
    if (!(size > 0) || Double.isInfinite(size)) {
      throw new IllegalArgumentException("size is not a positive number: " + size);
    }
    measure = (float) -size;
    succeedIfOpen();
  }

  @Override
  public void succeedIfOpen(double size, Duration took) {
    if (took.isNegative() || took.isZero()) {
      throw new IllegalArgumentException("The work took no time: " + took);
    }
    nanos = host().now() - TimeUnit.NANOSECONDS.convert(took);
    succeedIfOpen(size);
  }

  @Override
  public void giveBack() {
    end(Fault.WORK, true);
  }

  @Override
  public void fail(Throwable cause) {
    end(host().classify(cause), false);
  }

  @Override
  public void endWith(CompletionStage<?> event) {
    Objects.requireNonNull(event, "event is null");
    if (!host().handOver(this)) {
      throw endedBefore();
    }
    try {
      event.whenComplete((value, failure) -> {
        if (failure == null) {
          end(null, false);
        } else {
          Throwable cause = failure.getCause();
          fail(failure instanceof CompletionException && cause != null ? cause : failure);
        }
      });
    } catch (RuntimeException | Error refusal) {
      // An event that cannot be asked will not come.
      fail(refusal);
      throw refusal;
    }
  }

  @Override
  public void close() {
    int seen = state;
    if (LeaseState.isOpen(seen)) {
      end(LeaseState.ranWell(seen) ? null : LeaseState.noted(seen), false);
    }
  }

  private boolean end(@Nullable Fault fault, boolean unused) {
    return host().end(this, fault, unused);
  }

  public PoolException endedBefore() {
    return new PoolException.LeaseEnded(
        "The lease of %s on %s has ended before".formatted(holder(), device()));
  }

  // ---- where it is in its life

  int state() {
    return state;
  }

  /** Once it has begun, under the ledger's lock. */
  void become(int now) {
    STATE.set(this, now);
  }

  /** About to start; false if it was withdrawn. */
  boolean begin() {
    return !LeaseState.isEnded((int) STATE.getAndBitwiseOr(this, LeaseState.BEGUN));
  }

  /** Marks a job as withdrawn that has not started; false if it has, or has ended. */
  public boolean markWithdrawn() {
    for (int seen = state; LeaseState.mayBeWithdrawn(seen); seen = state) {
      if (STATE.compareAndSet(this, seen, LeaseState.withdrawn(seen))) {
        return true;
      }
    }
    return false;
  }

  public boolean isJob() {
    return LeaseState.isJob(state);
  }

  boolean isEnded() {
    return LeaseState.isEnded(state);
  }

  public boolean isUnused() {
    return LeaseState.isUnused(state);
  }

  /** How it ended: null if well. */
  public @Nullable Fault fault() {
    return LeaseState.fault(state);
  }

  // ---- for the pool

  /** Where the lease last tried to get in. */
  public @Nullable LeaseHost aimedAt() {
    return (LeaseHost) HOST.getVolatile(this);
  }

  @SuppressWarnings("ReferenceEquality")
  boolean isAimedAt(@Nullable LeaseHost at) {
    return aimedAt() == at;
  }

  /** What hangs on this lease: after its end, the jobs that its slots went to. */
  public @Nullable HeldLease takeNext() {
    HeldLease chain = next;
    if (chain != null) {
      next = null;
    }
    return chain;
  }

  int slots() {
    return isPlain() ? 1 : demand.resources().slots();
  }

  public int deviceThread() {
    return deviceThread;
  }

  public long rank() {
    return nanos;
  }

  public long startedAt() {
    return nanos;
  }

  /** How much work it was: what the demand said, unless its end said otherwise. */
  public double size() {
    return measure < 0 ? -measure : demand.work().size();
  }

  public float predictedSeconds() {
    return measure;
  }

  /** What the work is expected to take where the lease aims; zero if that is not known. */
  public void predict(double seconds) {
    measure = Double.isNaN(seconds) ? 0 : (float) seconds;
  }

  public boolean isSimple() {
    return simple;
  }

  /** Asks for one slot of a device and nothing else. */
  public boolean isPlain() {
    return plain;
  }

  /** In the queue of the device that it aims at. */
  boolean isQueued() {
    return deviceThread == QUEUED;
  }

  void queued(boolean value) {
    deviceThread = value ? QUEUED : NOWHERE;
  }

  /** It was withdrawn, and the device has taken it out of its queue before it was asked to. */
  boolean isDropped() {
    return deviceThread == DROPPED;
  }

  void dropped() {
    deviceThread = DROPPED;
  }

  /** Lets go of the job of a lease that will not run: it may hold a lot. */
  public void forgetJob() {
    holder = WithdrawnWork.INSTANCE;
  }

  /** Which one it is, for listeners; zero where none wants to know. */
  long number() {
    return 0;
  }

  public LeaseHost host() {
    return Objects.requireNonNull(host);
  }

  /**
   * Says where the lease will try to get in. The compare-and-set of the ledger's lock comes after
   * this write and before the look at {@link #isEnded}, so that a withdrawal of the lease either is
   * seen there or sees the device here.
   */
  public void aim(LeaseHost at) {
    HOST.setRelease(this, at);
  }

  void admitted(int outstanding, long free) {
    depth = outstanding;
    freeBytes = free;
  }

  void started(int onLane, int ofGeneration, long now) {
    deviceThread = (short) onLane;
    generation = ofGeneration;
    nanos = now;
  }

  public void runJob() {
    host().runJob(this, (QueuedWork) holder);
  }

  public String holder() {
    return nameOf(holder);
  }

  /** A holder's name, for people. */
  static String nameOf(Object holder) {
    return holder instanceof QueuedWork job
        ? job.holder()
        : "thread " + ((Thread) holder).getName();
  }

  Object holderObject() {
    return holder;
  }

  public @Nullable QueuedWork job() {
    return isJob() ? (QueuedWork) holder : null;
  }

  /** Throws if work cannot run under it any more. */
  public void check() {
    if (isEnded()) {
      throw new PoolException.LeaseEnded(
          "The lease of %s on %s has ended: no work can run under it"
              .formatted(holder(), device()));
    }
    int current = host().generation();
    if (current != generation) {
      throw PoolException.StaleGeneration.ofLease(device(), generation, current);
    }
  }

  @Override
  public String toString() {
    return "Lease[" + (host == null ? "nowhere yet" : device()) + " for " + holder() + "]";
  }
}
