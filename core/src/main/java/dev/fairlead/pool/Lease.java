package dev.fairlead.pool;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceWork;
import dev.fairlead.device.Fault;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Load;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A running slot of a device, with all the resources that its demand asked for, held until it ends.
 * It ends exactly once: by {@link #succeed}, by {@link #fail}, by an event, or by {@link #close}. A
 * lease that is closed without a word has succeeded if work has run under it and none has thrown;
 * otherwise it has failed.
 *
 * <pre>{@code
 * try (Lease lease = pool.lease(demand, timeout)) {
 *   return lease.run(slot -> compute(slot));
 * }
 * }</pre>
 */
public sealed class Lease extends LeaseState implements AutoCloseable, Ticket permits TrackedLease {
  private static final short DROPPED = -3;
  private static final short QUEUED = -2;
  private static final short NOWHERE = -1;

  private static final VarHandle HOST;

  static {
    try {
      HOST = MethodHandles.lookup().findVarHandle(Lease.class, "host", LeaseHost.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  /** The next one in a line or chain; guarded by the ledger, then by whoever took the chain. */
  @Nullable Lease next;

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
  Lease(Demand demand, Object holder, boolean plain, long rank) {
    super(holder instanceof QueuedWork ? JOB : BEGUN);
    this.demand = demand;
    this.holder = holder;
    this.plain = plain;
    this.simple = plain && holder instanceof Thread;
    this.nanos = rank;
  }

  // ---- for its holder

  public Device device() {
    return host().device();
  }

  /** The device's index in the pool, which no other device ever has. */
  public int index() {
    return host().index();
  }

  public Demand demand() {
    return demand;
  }

  /** The generation of the device's context that this lease is good for. */
  public int generation() {
    return generation;
  }

  /** The load that the device was chosen on; the foreign streams are those last polled. */
  public Load load() {
    return host().loadAt(depth, freeBytes, nanos);
  }

  /** How long the lease has been held. */
  public Duration age() {
    return Duration.ofNanos(host().now() - nanos);
  }

  /**
   * Runs work on one of the device's own threads and waits for it. What the work throws comes out
   * unchanged, and is remembered as the reason if the lease ends without success.
   *
   * @throws PoolException.LeaseEnded if the lease has ended
   * @throws PoolException.StaleGeneration if the device was rebuilt in the meantime
   * @throws PoolException.NoContext if the work was to be the first in a context that did not open
   */
  public <R, X extends Exception> R run(DeviceWork<R, X> work) throws X, InterruptedException {
    return host().run(this, Objects.requireNonNull(work, "work is null"));
  }

  /** Ends the lease: the work is done. */
  public void succeed() {
    if (!end(null, false)) {
      throw endedBefore();
    }
  }

  /** Ends the lease well unless it has ended before, say because its work was given up as hung. */
  public void succeedIfOpen() {
    end(null, false);
  }

  /**
   * The same, for work that turned out to be of another size than the demand said.
   *
   * @param size as in {@link dev.fairlead.policy.Work}
   */
  public void succeedIfOpen(double size) {
    if (!(size > 0) || Double.isInfinite(size)) {
      throw new IllegalArgumentException("size is not a positive number: " + size);
    }
    measure = (float) -size;
    succeedIfOpen();
  }

  /**
   * The same, for work that was timed by the caller, say by events of the device.
   *
   * @param took what counts as the latency, and what costs are learned from
   */
  public void succeedIfOpen(double size, Duration took) {
    if (took.isNegative() || took.isZero()) {
      throw new IllegalArgumentException("The work took no time: " + took);
    }
    nanos = host().now() - Timing.nanos(took);
    succeedIfOpen(size);
  }

  /** Ends a lease under which nothing was done: it counts neither as completed nor as failed. */
  public void giveBack() {
    end(Fault.WORK, true);
  }

  /** Ends the lease: the work failed, and this is why. */
  public void fail(Throwable cause) {
    end(host().classify(cause), false);
  }

  /** Leaves the end to an event: the device is busy until it comes, the thread is not. */
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

  /**
   * Ends the lease unless it has ended before or was left to an event: well if work has run under
   * it and none has thrown, else as a failure.
   */
  @Override
  public void close() {
    if (isOpen()) {
      end(ranWell() ? null : noted(), false);
    }
  }

  private boolean end(@Nullable Fault fault, boolean unused) {
    return host().end(this, fault, unused);
  }

  PoolException endedBefore() {
    return new PoolException.LeaseEnded(
        "The lease of %s on %s has ended before".formatted(holder(), device()));
  }

  // ---- for the pool

  /** Where the lease last tried to get in. */
  @Nullable LeaseHost aimedAt() {
    return (LeaseHost) HOST.getVolatile(this);
  }

  @SuppressWarnings("ReferenceEquality")
  boolean isAimedAt(@Nullable LeaseHost at) {
    return aimedAt() == at;
  }

  /** What hangs on this lease: after its end, the jobs that its slots went to. */
  @Nullable Lease takeNext() {
    Lease chain = next;
    if (chain != null) {
      next = null;
    }
    return chain;
  }

  int slots() {
    return isPlain() ? 1 : demand.resources().slots();
  }

  int deviceThread() {
    return deviceThread;
  }

  long rank() {
    return nanos;
  }

  long startedAt() {
    return nanos;
  }

  /** How much work it was: what the demand said, unless its end said otherwise. */
  double size() {
    return measure < 0 ? -measure : demand.work().size();
  }

  float predictedSeconds() {
    return measure;
  }

  /** What the work is expected to take where the lease aims; zero if that is not known. */
  void predict(double seconds) {
    measure = Double.isNaN(seconds) ? 0 : (float) seconds;
  }

  boolean isSimple() {
    return simple;
  }

  /** Asks for one slot of a device and nothing else. */
  boolean isPlain() {
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
  void forgetJob() {
    holder = QueuedWork.NONE;
  }

  /** Which one it is, for listeners; zero where none wants to know. */
  long number() {
    return 0;
  }

  LeaseHost host() {
    return Objects.requireNonNull(host);
  }

  /**
   * Says where the lease will try to get in. The compare-and-set of the ledger's lock comes after
   * this write and before the look at {@link #isEnded}, so that whoever withdraws the lease either
   * is seen there or sees the device here.
   */
  void aim(LeaseHost at) {
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

  void runJob() {
    host().runJob(this, (QueuedWork) holder);
  }

  String holder() {
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

  @Nullable QueuedWork job() {
    return isJob() ? (QueuedWork) holder : null;
  }

  /** Throws if work cannot run under it any more. */
  void check() {
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
