package dev.fairlead.ledger;

import dev.fairlead.shared.CacheLine;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * The one word of a ledger that all threads read: how burdened a device is and whether it takes
 * work. Its lowest bit is the ledger's lock.
 *
 * <p>State line: {@code free → LOCKED → free}. Choosing reads words without locking. A change of a
 * ledger sets LOCKED by one compare-and-set, changes plain fields, and publishes the new word,
 * unlocked, by one release store: a lease costs two of each and nothing else. The critical sections
 * are a few dozen instructions that call no foreign code, which is why spinning is right; a holder
 * that was descheduled is waited for by yielding, then by short naps. Each section unlocks in a
 * {@code finally}: an error that a caller brings along, such as a stack that is nearly full, must
 * not leave the lock taken.
 *
 * <p>Lock order: the waiting room's lock before a word; words of several ledgers by index.
 */
public abstract class LedgerWord extends CacheLine {
  public static final long LOCKED = 1;

  /** A demand waits for this device: the end of a lease has to serve the waiting room. */
  public static final long AWAITED = 2;

  /** No running slot is free. */
  public static final long FULL = 4;

  /** Takes no new work: in quarantine, paused, leaving, or one at a time and that one is there. */
  public static final long SHUT = 8;

  /** Something happened that the pool has to deal with outside the lock. */
  public static final long ATTENTION = 16;

  /** Jobs are in the device's queue. */
  public static final long QUEUED = 32;

  /** Another thread has the lock. */
  static final long TAKEN = -1;

  private static final int BURDEN_SHIFT = 8;

  /** While a word is locked, its highest bits say by which thread. */
  private static final int OWNER_SHIFT = 40;

  private static final long UNLOCKED = (1L << OWNER_SHIFT) - 1 & ~LOCKED;
  private static final int SPINS_BEFORE_YIELD = 64;
  private static final int YIELDS_BEFORE_NAP = 256;
  private static final long NAP_NANOS = 20_000;

  /** After so many tries, a tenth of a second or more, it is worth while to ask for the owner. */
  private static final int TRIES_BEFORE_LOOK = 2_000;

  private static final VarHandle WORD;

  static {
    try {
      WORD = MethodHandles.lookup().findVarHandle(LedgerWord.class, "word", long.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  @SuppressWarnings("unused") // written through WORD
  private volatile long word;

  /** What it says now. */
  public final long word() {
    return word;
  }

  public static int burden(long word) {
    return (int) (word >>> BURDEN_SHIFT);
  }

  public final boolean has(long flags) {
    return (word & flags) != 0;
  }

  /** The word as it was if the lock was free, else {@link #TAKEN}. */
  final long tryLock() {
    long seen = word;
    long locked = seen | LOCKED | StackRoom.me() << OWNER_SHIFT;
    return (seen & LOCKED) == 0 && WORD.compareAndSet(this, seen, locked) ? seen : TAKEN;
  }

  /** Waits for the lock; the word as it was. */
  final long lock() {
    long seen = tryLock();
    return seen == TAKEN ? lockPatiently() : seen;
  }

  /** Waits until the lock is free, without wanting it. */
  public final void awaitUnlocked() {
    for (int tries = 0; has(LOCKED); tries++) {
      pause(tries);
    }
  }

  private long lockPatiently() {
    for (int tries = 0; ; tries++) {
      long seen = tryLock();
      if (seen != TAKEN) {
        return seen;
      }
      pause(tries);
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // the holder may be waiting for this very core
  private void pause(int tries) {
    if (tries < SPINS_BEFORE_YIELD) {
      Thread.onSpinWait();
    } else if (tries < SPINS_BEFORE_YIELD + YIELDS_BEFORE_NAP) {
      Thread.yield();
    } else {
      LockSupport.parkNanos(NAP_NANOS);
    }
    if (tries == 0 && owner() == StackRoom.me()) {
      unlockUnchanged(); // this very thread has left it locked, and is in no section now
    } else if (tries % TRIES_BEFORE_LOOK == TRIES_BEFORE_LOOK - 1) {
      StackRoom.unlockIfLost(this);
    }
  }

  /** Publishes what the ledger has become, and unlocks it. */
  final void publish(int burden, long flags) {
    WORD.setRelease(this, ((long) burden << BURDEN_SHIFT) | flags);
  }

  /** Unlocks a ledger that was not changed. */
  final void unlockUnchanged() {
    WORD.setRelease(this, word & UNLOCKED);
  }

  /** The thread that has the lock, as {@link StackRoom#me}; zero if none has. */
  final long owner() {
    return word >>> OWNER_SHIFT;
  }
}
