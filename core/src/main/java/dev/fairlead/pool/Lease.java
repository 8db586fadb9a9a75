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
 * It ends exactly once: by {@link #succeed}, by {@link #fail}, by an event, or by {@link #close},
 * which counts as a failure if nothing else has ended it before.
 *
 * <pre>{@code
 * try (Lease lease = pool.lease(demand, timeout)) {
 *   Result result = lease.run(slot -> compute(slot));
 *   lease.succeed();
 *   return result;
 * }
 * }</pre>
 */
public final class Lease extends LeaseState implements AutoCloseable, Ticket {
  private static final short IN_LINE = -2;
  private static final short NOWHERE = -1;

  private static final VarHandle STATION;

  static {
    try {
      STATION = MethodHandles.lookup().findVarHandle(Lease.class, "station", Station.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  /** The next one in a line or chain; guarded by the ledger, then by whoever took the chain. */
  @Nullable Lease next;

  private final Demand demand;
  private final Object holder;

  @SuppressWarnings("unused") // written through STATION
  private @Nullable Station station;

  private short lane = NOWHERE;
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
  Lease(Demand demand, Thread holder, boolean plain, long rank) {
    this(demand, holder, plain, BEGUN, rank);
  }

  Lease(Demand demand, Job holder, boolean plain, long rank) {
    this(demand, holder, plain, JOB, rank);
  }

  private Lease(Demand demand, Object holder, boolean plain, int state, long rank) {
    super(state);
    this.demand = demand;
    this.holder = holder;
    this.plain = plain;
    this.simple = plain && state == BEGUN;
    this.nanos = rank;
  }

  // ---- for its holder

  public Device device() {
    return station().device();
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
    return station().ledger().loadAt(depth, freeBytes, nanos);
  }

  /** How long the lease has been held. */
  public Duration age() {
    return Duration.ofNanos(heldNanos(station().now()));
  }

  /**
   * Runs work on one of the device's own threads and waits for it. What the work throws comes out
   * unchanged, and is remembered as the reason if the lease ends without success.
   *
   * @throws PoolException.LeaseEnded if the lease has ended
   * @throws PoolException.StaleGeneration if the device was rebuilt in the meantime
   */
  public <R, X extends Exception> R run(DeviceWork<R, X> work) throws X, InterruptedException {
    Objects.requireNonNull(work, "work is null");
    Lane mine = station().lane(lane);
    if (mine.isCurrent()) {
      check();
      try {
        return mine.execute(work);
      } catch (Throwable failure) {
        note(failure);
        throw failure;
      }
    }
    check();
    if (!station().ledger().callStarts(this, station().now())) {
      check();
      throw endedBefore();
    }
    // Whoever closes looks for calls after it has said so: one of the two sees the other.
    if (station().isClosed()) {
      station().callEnded(this);
      throw new PoolException.PoolClosed();
    }
    Call<R, X> call = new Call<>(this, mine, work);
    station().calls().add(call);
    try {
      if (!mine.post(call)) {
        station().callEnded(this);
        throw new PoolException.PoolClosed();
      }
      return call.await();
    } finally {
      station().calls().remove(call);
    }
  }

  /** Ends the lease: the work is done. */
  public void succeed() {
    if (!station().end(this, null, false)) {
      throw endedBefore();
    }
  }

  /** Ends the lease well unless it has ended before, say because its work was given up as hung. */
  public void succeedIfOpen() {
    station().end(this, null, false);
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

  /** Ends a lease under which nothing was done: it counts neither as completed nor as failed. */
  public void giveBack() {
    station().end(this, Fault.WORK, true);
  }

  /** Ends the lease: the work failed, and this is why. */
  public void fail(Throwable cause) {
    station().end(this, station().classify(cause), false);
  }

  /** Leaves the end to an event: the device is busy until it comes, the thread is not. */
  public void endWith(CompletionStage<?> event) {
    Objects.requireNonNull(event, "event is null");
    if (!station().ledger().handOver(this, station().now())) {
      throw endedBefore();
    }
    event.whenComplete((value, failure) -> {
      if (failure == null) {
        station().end(this, null, false);
      } else {
        Throwable cause = failure.getCause();
        fail(failure instanceof CompletionException && cause != null ? cause : failure);
      }
    });
  }

  /** Ends the lease as a failure unless it has ended before or was left to an event. */
  @Override
  public void close() {
    if (isOpen()) {
      station().end(this, noted(), false);
    }
  }

  private PoolException endedBefore() {
    return new PoolException.LeaseEnded(
        "The lease of %s on %s has ended before".formatted(holder(), device()));
  }

  // ---- for the pool

  /** Where the lease last tried to get in. */
  @Nullable Station aimedAt() {
    return (Station) STATION.getVolatile(this);
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

  int lane() {
    return lane;
  }

  long rank() {
    return nanos;
  }

  long startedAt() {
    return nanos;
  }

  long heldNanos(long now) {
    return now - nanos;
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

  /** A thread's lease on one slot of a device and nothing else. */
  boolean isSimple() {
    return simple;
  }

  /** Asks for one slot of a device and nothing else. */
  boolean isPlain() {
    return plain;
  }

  boolean isInLine() {
    return lane == IN_LINE;
  }

  void inLine(boolean value) {
    lane = value ? IN_LINE : NOWHERE;
  }

  Station station() {
    return Objects.requireNonNull(station);
  }

  /**
   * Says where the lease will try to get in. The compare-and-set of the ledger's lock comes after
   * this write and before the look at {@link #isEnded}, so that whoever withdraws the lease either
   * is seen there or sees the station here.
   */
  void aim(Station at) {
    STATION.setRelease(this, at);
  }

  void admitted(int outstanding, long free) {
    depth = outstanding;
    freeBytes = free;
  }

  void started(int onLane, int ofGeneration, long now) {
    lane = (short) onLane;
    generation = ofGeneration;
    nanos = now;
  }

  void runJob() {
    try {
      ((Job) holder).run(this);
    } catch (Throwable failure) {
      // A job sees to its lease itself; one that throws has not.
      fail(failure);
      Lane.report(failure);
    }
  }

  String holder() {
    return Berth.Tenancy.name(holder);
  }

  Object holderObject() {
    return holder;
  }

  @Nullable Job job() {
    return isJob() ? (Job) holder : null;
  }

  /** Remembers what went wrong in a call, in case nobody says how the lease ended. */
  void note(Throwable failure) {
    station().ledger().note(this, station().classify(failure));
  }

  private void check() {
    if (isEnded()) {
      throw new PoolException.LeaseEnded(
          "The lease of %s on %s has ended: no work can run under it"
              .formatted(holder(), device()));
    }
    int current = station().ledger().generation();
    if (current != generation) {
      throw new PoolException.StaleGeneration(device(), generation, current);
    }
  }

  @Override
  public String toString() {
    return "Lease[" + (station == null ? "nowhere yet" : device()) + " for " + holder() + "]";
  }
}
