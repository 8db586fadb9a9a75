package dev.fairlead.ledger;

import java.util.Arrays;

/**
 * What becomes of locks when a caller's stack overflows inside of the pool. A section that holds a
 * device's lock may then be unable to call even what unlocks it. Further up, where there is room
 * again, the thread unlocks what it has left locked; if that fails, too, a thread that waits for
 * such a lock does so, once its owner has ended or is not inside of the pool any more. What the
 * section was about to do may be half done: a slot can be lost, never the device.
 */
public final class StackRoom {
  private static final long VIRTUAL = 1 << 23;
  private static final String POOL = StackRoom.class.getPackageName() + ".";

  private StackRoom() {}

  /** The current thread in the 24 bits that a word has for it. */
  static long me() {
    Thread thread = Thread.currentThread();
    return thread.isVirtual() ? tag(thread) | VIRTUAL : tag(thread);
  }

  /** Ids are given out in order: those of threads that live at the same time differ here, too. */
  private static long tag(Thread thread) {
    return thread.threadId() & (VIRTUAL - 1);
  }

  /** Unlocks all that the current thread has left locked; the overflow is to be thrown again. */
  public static StackOverflowError regained(LedgerWord[] words, StackOverflowError full) {
    long me = me();
    for (LedgerWord word : words) {
      if (word.owner() == me) {
        word.unlockUnchanged();
      }
    }
    return full;
  }

  /** Unlocks a word that its owner has left locked; one at a time, so that it is done once. */
  static synchronized void unlockIfLost(LedgerWord word) {
    long owner = word.owner();
    // Virtual threads are not listed: what they own is left to them.
    if (owner > 0 && owner < VIRTUAL && !isInside(owner) && word.owner() == owner) {
      word.unlockUnchanged();
    }
  }

  private static boolean isInside(long owner) {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(each -> tag(each.getKey()) == owner)
        .flatMap(each -> Arrays.stream(each.getValue()))
        .anyMatch(frame -> frame.getClassName().startsWith(POOL));
  }
}
