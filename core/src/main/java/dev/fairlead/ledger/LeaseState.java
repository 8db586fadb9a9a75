package dev.fairlead.ledger;

import dev.fairlead.device.Fault;
import org.jspecify.annotations.Nullable;

/**
 * Where a lease is in its life: functions on the one {@code int} that a lease keeps of it.
 *
 * <p>State line: {@code (in line →) BEGUN → ENDED → SETTLED}. A lease is ENDED when its end was
 * reported, and SETTLED, its resources given back, when the device has also finished the calls that
 * run on it. From BEGUN on, every change is made under the ledger's lock; before that, starting and
 * withdrawing race by compare-and-set.
 */
final class LeaseState {
  /** Started, or about to be. */
  static final int BEGUN = 1 << 24;

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
  private static final int JOB = 1 << 31;

  private static final Fault[] FAULTS = Fault.values();

  private LeaseState() {}

  /** A job has to begin; a thread that has its lease has begun. */
  static int first(boolean job) {
    return job ? JOB : BEGUN;
  }

  static boolean isJob(int state) {
    return (state & JOB) != 0;
  }

  static boolean isEnded(int state) {
    return (state & ENDED) != 0;
  }

  static boolean isSettled(int state) {
    return (state & SETTLED) != 0;
  }

  static boolean mayBeWithdrawn(int state) {
    return (state & (BEGUN | ENDED)) == 0;
  }

  static boolean mayEnd(int state) {
    return (state & (BEGUN | ENDED)) == BEGUN;
  }

  /** Its end was neither reported nor left to an event. */
  static boolean isOpen(int state) {
    return (state & (ENDED | HANDED_OVER)) == 0;
  }

  /** No call runs under it, and no event is to end it. */
  static boolean isAtRest(int state) {
    return (state & (CALLS | HANDED_OVER)) == 0;
  }

  static boolean isUnused(int state) {
    return (state & UNUSED) != 0;
  }

  /** Work has run under it, and none has thrown. */
  static boolean ranWell(int state) {
    return (state & (RAN | THREW)) == RAN;
  }

  /** The worst that was noted; a fault of the work if nothing was. */
  static Fault noted(int state) {
    return FAULTS[(state & FAULT) >> FAULT_SHIFT];
  }

  /** How it ended: null if well. */
  static @Nullable Fault fault(int state) {
    return (state & SUCCEEDED) != 0 ? null : noted(state);
  }

  // ---- what becomes of it

  static int withdrawn(int state) {
    return state | ENDED | SETTLED;
  }

  static int callStarted(int state) {
    return state + 1;
  }

  /** Settled if the lease has ended meanwhile and this was the last call that it waited for. */
  static int callEnded(int state, boolean well) {
    int now = (state - 1) | (well ? RAN : 0);
    return (now & (ENDED | CALLS)) == ENDED ? now | SETTLED : now;
  }

  static int handedOver(int state) {
    return state | HANDED_OVER;
  }

  /** Keeps the worst fault of those before the end. */
  static int failed(int state, Fault fault) {
    if (isEnded(state)) {
      return state;
    }
    Fault worst = fault.compareTo(noted(state)) > 0 ? fault : noted(state);
    return (state & ~FAULT) | THREW | worst.ordinal() << FAULT_SHIFT;
  }

  static int ran(int state) {
    return state | RAN;
  }

  /** Settled unless a call still runs. */
  static int ended(int state, @Nullable Fault fault, boolean unused) {
    int how = fault == null ? SUCCEEDED : fault.ordinal() << FAULT_SHIFT;
    int settled = (state & CALLS) == 0 ? SETTLED : 0;
    return (state & ~FAULT) | ENDED | how | settled | (unused ? UNUSED : 0);
  }

  /** Settled as a fault of the context, calls or not. */
  static int givenUp(int state) {
    int how = Fault.CONTEXT.ordinal() << FAULT_SHIFT | ENDED | SETTLED;
    return (state & ~(FAULT | SUCCEEDED)) | how;
  }
}
