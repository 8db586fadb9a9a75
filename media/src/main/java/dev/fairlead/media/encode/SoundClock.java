package dev.fairlead.media.encode;

import java.util.OptionalLong;

/**
 * When the packets of a track are heard: each where the one before ends, unless sound is missing.
 *
 * <p>Times in files are rounded, often to milliseconds, and are followed only where they are off by
 * more than {@value #CLOSE_MILLIS} ms. What was heard already is dropped. Times that go back by
 * more than {@value #BACK_SECONDS} s, or forward by more than {@value #FAR_SECONDS} s, cannot be
 * true: all that follows is shifted so that it goes on.
 */
final class SoundClock {
  /** Stands for a time that is not known. */
  static final long UNKNOWN = Long.MIN_VALUE;

  private static final long CLOSE_MILLIS = 10;
  private static final long BACK_SECONDS = 1;
  private static final long FAR_SECONDS = 3_600;

  private final long second;
  private final long close;
  private long before = UNKNOWN;
  private long next = UNKNOWN;
  private long shift;
  private int repairs;

  /**
   * A clock that has not begun.
   *
   * @param second how many units a second has
   * @param tick how many units the times are rounded to
   */
  SoundClock(long second, long tick) {
    this.second = second;
    this.close = Math.max(second * CLOSE_MILLIS / 1_000, tick + tick / 2);
  }

  /** When the next packet is heard; empty if that time has its sound already. */
  OptionalLong place(long claimed, long length) {
    boolean told = claimed != UNKNOWN && claimed != before;
    before = claimed;
    long at = told ? claimed + shift : next == UNKNOWN ? 0 : next;
    if (next != UNKNOWN) {
      long ahead = at - next;
      if (Math.abs(ahead) <= close) {
        at = next;
      } else if (ahead < -BACK_SECONDS * second || ahead > FAR_SECONDS * second) {
        repairs++;
        shift -= ahead;
        at = next;
      } else if (ahead < 0) {
        return OptionalLong.empty();
      }
    }
    next = at + length;
    return OptionalLong.of(at);
  }

  /** How often times were repaired. */
  int repairs() {
    return repairs;
  }
}
