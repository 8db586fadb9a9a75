package dev.fairlead.ledger;

import dev.fairlead.device.Fault;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Where a lease is in its life, in one word.
 *
 * <p>State line: {@code (in line →) BEGUN → ENDED → SETTLED}. A lease is ENDED when someone said
 * so, and SETTLED, its resources given back, when the device has also finished the calls that run
 * on it. From BEGUN on, every change is made under the ledger's lock; before that, starting and
 * withdrawing race by compare-and-set.
 */
abstract class LeaseState {
  static final int BEGUN = 1 << 24;
  static final int JOB = 1 << 31;

  private static final int CALLS = (1 << 20) - 1;
  private static final int FAULT_SHIFT = 20;
  private static final int FAULT = 7 << FAULT_SHIFT;
  private static final int THREW = 1 << 23;
  private static final int HANDED_OVER = 1 << 25;
  private static final int ENDED = 1 << 26;
  private static final int SETTLED = 1 << 27;
  private static final int SUCCEEDED = 1 << 28;
  private static final int UNUSED = 1 << 29;
  private static final int RAN = 1 << 30;

  private static final Fault[] FAULTS = Fault.values();
  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(LeaseState.class, "state", int.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private volatile int state;

  LeaseState(int state) {
    STATE.set(this, state);
  }

  public final boolean isJob() {
    return (state & JOB) != 0;
  }

  final boolean isEnded() {
    return (state & ENDED) != 0;
  }

  /** Nobody has said how it ends, nor left that to an event. */
  final boolean isOpen() {
    return (state & (ENDED | HANDED_OVER)) == 0;
  }

  /** Its end was left to an event. */
  final boolean isHandedOver() {
    return (state & HANDED_OVER) != 0;
  }

  public final boolean isUnused() {
    return (state & UNUSED) != 0;
  }

  /** The worst that was noted; a fault of the work if nothing was. */
  final Fault noted() {
    return FAULTS[(state & FAULT) >> FAULT_SHIFT];
  }

  /** Work has run under it, and none has thrown. */
  final boolean ranWell() {
    return (state & (RAN | THREW)) == RAN;
  }

  /** How it ended: null if well. */
  public final @Nullable Fault fault() {
    return (state & SUCCEEDED) != 0 ? null : noted();
  }

  /** About to start; false if it was withdrawn. */
  final boolean begin() {
    return ((int) STATE.getAndBitwiseOr(this, BEGUN) & ENDED) == 0;
  }

  /** Marks a job as withdrawn that has not started; false if it has, or has ended. */
  public final boolean markWithdrawn() {
    for (int seen = state; (seen & (BEGUN | ENDED)) == 0; seen = state) {
      if (STATE.compareAndSet(this, seen, seen | ENDED | SETTLED)) {
        return true;
      }
    }
    return false;
  }

  final boolean hasCalls() {
    return (state & CALLS) != 0;
  }

  // ---- under the ledger's lock

  final boolean callStarts() {
    boolean open = !isEnded();
    if (open) {
      STATE.set(this, state + 1);
    }
    return open;
  }

  /** True if the lease has ended meanwhile and this was the last call that it waited for. */
  final boolean callEnded(boolean well) {
    int now = (state - 1) | (well ? RAN : 0);
    boolean last = (now & (ENDED | SETTLED | CALLS)) == ENDED;
    STATE.set(this, last ? now | SETTLED : now);
    return last;
  }

  final boolean handOver() {
    boolean open = isOpen();
    STATE.set(this, state | HANDED_OVER);
    return open;
  }

  final void note(Fault fault) {
    if (!isEnded()) {
      Fault worst = fault.compareTo(noted()) > 0 ? fault : noted();
      STATE.set(this, (state & ~FAULT) | THREW | worst.ordinal() << FAULT_SHIFT);
    }
  }

  final void noteSuccess() {
    STATE.set(this, state | RAN);
  }

  /** Ends the lease; it is settled unless a call still runs. */
  final Release conclude(@Nullable Fault fault, boolean unused) {
    int seen = state;
    if ((seen & (ENDED | BEGUN)) != BEGUN) {
      return Release.ENDED_BEFORE;
    }
    boolean settles = (seen & CALLS) == 0;
    int how = fault == null ? SUCCEEDED : fault.ordinal() << FAULT_SHIFT;
    STATE.set(
        this, (seen & ~FAULT) | ENDED | how | (settles ? SETTLED : 0) | (unused ? UNUSED : 0));
    return settles ? Release.SETTLED : Release.DEFERRED;
  }

  /** Ends the lease and settles it, calls or not; false if it was settled before. */
  final boolean giveUp() {
    int seen = state;
    if ((seen & SETTLED) != 0) {
      return false;
    }
    int how = Fault.CONTEXT.ordinal() << FAULT_SHIFT | ENDED | SETTLED;
    STATE.set(this, (seen & ~(FAULT | SUCCEEDED)) | how);
    return true;
  }
}
