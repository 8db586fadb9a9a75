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
 *
 * <p>State line: {@code (in line →) BEGUN → ENDED → SETTLED}. A lease is ENDED when someone said
 * so, and SETTLED, its resources given back, when the device has also finished the calls that run
 * on it.
 */
public final class Lease implements AutoCloseable {
  private static final int CALLS = (1 << 20) - 1;
  private static final int FAULT_SHIFT = 20;
  private static final int FAULT = 7 << FAULT_SHIFT;
  private static final int BEGUN = 1 << 24;
  private static final int HANDED_OVER = 1 << 25;
  private static final int ENDED = 1 << 26;
  private static final int SETTLED = 1 << 27;
  private static final int SUCCEEDED = 1 << 28;
  private static final int UNUSED = 1 << 29;
  private static final int IN_LINE = -2;
  private static final int NOWHERE = -1;

  private static final Fault[] FAULTS = Fault.values();
  private static final VarHandle STATE;
  private static final VarHandle STATION;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      STATE = lookup.findVarHandle(Lease.class, "state", int.class);
      STATION = lookup.findVarHandle(Lease.class, "station", Station.class);
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

  private volatile int state;
  private int lane = NOWHERE;
  private int depth;
  private int generation;
  private float predictedSeconds;
  private long nanos;
  private long freeBytes;

  /**
   * @param holder the thread or the job that wants it
   * @param rank when it came, less the head start of its priority
   */
  Lease(Demand demand, Object holder, long rank) {
    this.demand = demand;
    this.holder = holder;
    this.nanos = rank;
    STATE.set(this, holder instanceof Job ? 0 : BEGUN);
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

  /** The load that the device was chosen on. */
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
    callStarts();
    Call<R, X> call = new Call<>(this, mine, work);
    station().calls().add(call);
    try {
      mine.post(call);
      return call.await();
    } finally {
      station().calls().remove(call);
    }
  }

  /** Ends the lease: the work is done. */
  public void succeed() {
    if (!end(null)) {
      throw new PoolException.LeaseEnded(
          "The lease of %s on %s has ended before".formatted(holder(), device()));
    }
  }

  /** Ends a lease under which nothing was done: it counts neither as completed nor as failed. */
  public void giveBack() {
    set(UNUSED);
    close();
  }

  /** Ends the lease: the work failed, and this is why. */
  public void fail(Throwable cause) {
    end(station().context().classify(cause));
  }

  /** Leaves the end to an event: the device is busy until it comes, the thread is not. */
  public void endWith(CompletionStage<?> event) {
    Objects.requireNonNull(event, "event is null");
    if ((set(HANDED_OVER) & (ENDED | HANDED_OVER)) != 0) {
      throw new PoolException.LeaseEnded(
          "The lease of %s on %s has ended before".formatted(holder(), device()));
    }
    event.whenComplete((value, failure) -> {
      if (failure == null) {
        end(null);
      } else {
        Throwable cause = failure.getCause();
        fail(failure instanceof CompletionException && cause != null ? cause : failure);
      }
    });
  }

  /** Ends the lease as a failure unless it has ended before or was left to an event. */
  @Override
  public void close() {
    if ((state & (ENDED | HANDED_OVER)) == 0) {
      int noted = (state & FAULT) >> FAULT_SHIFT;
      end(FAULTS[noted]);
    }
  }

  // ---- for the pool

  /** Marks a job as withdrawn that has not started; false if it has, or has ended. */
  boolean markWithdrawn() {
    for (int seen = state; (seen & (BEGUN | ENDED)) == 0; seen = state) {
      if (STATE.compareAndSet(this, seen, seen | ENDED | SETTLED)) {
        return true;
      }
    }
    return false;
  }

  /** Where the lease last tried to get in. */
  @Nullable Station aimedAt() {
    return (Station) STATION.getVolatile(this);
  }

  int slots() {
    return demand.resources().slots();
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

  float predictedSeconds() {
    return predictedSeconds;
  }

  /** What the work is expected to take where the lease aims; zero if that is not known. */
  void predict(double seconds) {
    predictedSeconds = Double.isNaN(seconds) ? 0 : (float) seconds;
  }

  boolean isEnded() {
    return (state & ENDED) != 0;
  }

  boolean isUnused() {
    return (state & UNUSED) != 0;
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

  /** About to start; false if it was withdrawn. */
  boolean begin() {
    return (set(BEGUN) & ENDED) == 0;
  }

  void started(int onLane, int ofGeneration, long now) {
    lane = onLane;
    generation = ofGeneration;
    nanos = now;
  }

  void runJob() {
    ((Job) holder).run(this);
  }

  String holder() {
    return holder instanceof Job job ? job.holder() : "thread " + ((Thread) holder).getName();
  }

  @Nullable Job job() {
    return holder instanceof Job job ? job : null;
  }

  /** Remembers what went wrong in a call, in case nobody says how the lease ended. */
  void note(Throwable failure) {
    int fault = station().context().classify(failure).ordinal();
    for (int seen = state; (seen & FAULT) >> FAULT_SHIFT < fault; seen = state) {
      if (STATE.compareAndSet(this, seen, (seen & ~FAULT) | fault << FAULT_SHIFT)) {
        return;
      }
    }
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

  private void callStarts() {
    for (int seen = state; ; seen = state) {
      if ((seen & ENDED) != 0) {
        check();
      }
      if (STATE.compareAndSet(this, seen, seen + 1)) {
        return;
      }
    }
  }

  void callEnded() {
    int before = (int) STATE.getAndAdd(this, -1);
    if ((before & ENDED) != 0 && (before & CALLS) == 1 && (set(SETTLED) & SETTLED) == 0) {
      boolean succeeded = (before & SUCCEEDED) != 0;
      station().settle(this, succeeded ? null : FAULTS[(before & FAULT) >> FAULT_SHIFT]);
    }
  }

  /** Ends the lease; it is settled here unless a call still runs. False if it had ended before. */
  private boolean end(@Nullable Fault fault) {
    int how = ENDED | (fault == null ? SUCCEEDED : fault.ordinal() << FAULT_SHIFT);
    for (int seen = state; (seen & ENDED) == 0; seen = state) {
      boolean settles = (seen & CALLS) == 0;
      if (STATE.compareAndSet(this, seen, (seen & ~FAULT) | how | (settles ? SETTLED : 0))) {
        if (settles) {
          station().settle(this, fault);
        }
        return true;
      }
    }
    return false;
  }

  /** Ends a lease whose work hangs, though it has not come back. */
  boolean endHung() {
    if ((set(ENDED | SETTLED) & SETTLED) != 0) {
      return false;
    }
    station().settle(this, Fault.CONTEXT);
    return true;
  }

  private int set(int bit) {
    return (int) STATE.getAndBitwiseOr(this, bit);
  }

  @Override
  public String toString() {
    return "Lease[" + (station == null ? "nowhere yet" : device()) + " for " + holder() + "]";
  }
}
