package dev.fairlead.policy;

/**
 * What a policy answers, packed in a long so that choosing allocates nothing: an index and the
 * burden that it was chosen on, or to wait. The burden lets the pool commit the choice atomically:
 * if the device has become more burdened since, the race was lost and the policy looks again.
 */
public final class Choice {
  /** No candidate can take it now. */
  public static final long NONE = Long.MIN_VALUE;

  private static final long FIRST_WAIT = NONE + 1;
  private static final long ANY_BURDEN = Integer.MAX_VALUE;

  private Choice() {}

  /** Take {@code index}, provided that it carries no more than {@code burden} now. */
  public static long of(int index, int burden) {
    return ((long) burden << 32) | index;
  }

  /** Take {@code index}, whatever it carries. */
  public static long of(int index) {
    return (ANY_BURDEN << 32) | index;
  }

  /** Wait: {@code index} is busy, but will still finish this sooner than any free one. */
  public static long waitFor(int index) {
    return FIRST_WAIT + index;
  }

  public static boolean isPlaced(long choice) {
    return choice >= 0;
  }

  /** Whether it is an answer of {@link #waitFor}. */
  public static boolean isWait(long choice) {
    return choice != NONE && choice < 0 && choice - FIRST_WAIT <= Integer.MAX_VALUE;
  }

  /** The chosen index, or the one to wait for, or -1. */
  public static int index(long choice) {
    if (choice >= 0) {
      return (int) choice;
    }
    return isWait(choice) ? (int) (choice - FIRST_WAIT) : -1;
  }

  public static int burden(long choice) {
    return (int) (choice >>> 32);
  }
}
