package dev.fairlead.shared;

import java.util.stream.IntStream;

/**
 * Where a thread begins to look among equals. Threads are spread over cursors so that they do not
 * fight over one cursor; the fields are plain, since a lost update only makes a turn repeat.
 *
 * <p>A thread moves on by one device with each placement. If it loses races in quick succession, it
 * stays where it ended up for {@link #STAY} placements: two threads that go round in step would
 * otherwise pull every device's cache lines back and forth. A race that is lost now and then, say
 * against the maintenance thread, changes nothing.
 */
public final class ThreadCursor extends CacheLine {
  private static final int COUNT = 64;
  private static final int STAY = 1024;
  private static final int CONTENDED = 64;
  private static final int CROWDED = 16;

  private final long number;
  private int rotation;
  private int stay;
  private int draws;
  private int lastRace = -CONTENDED;
  private int crowded;

  @SuppressWarnings("unused")
  private long q0, q1, q2, q3, q4, q5, q6, q7;

  private ThreadCursor(int number) {
    this.number = number;
  }

  /** All cursors of a pool. */
  public static final class Ring {
    private final ThreadCursor[] cursors =
        IntStream.range(0, COUNT).mapToObj(ThreadCursor::new).toArray(ThreadCursor[]::new);

    public ThreadCursor mine() {
      return cursors[(int) Thread.currentThread().threadId() & (COUNT - 1)];
    }
  }

  /**
   * Whether it is worth while to look for a device with a free slot before queues are joined. When
   * there was none, the next {@link #CROWDED} jobs join queues at once: a device that becomes free
   * meanwhile takes over what is there.
   */
  public boolean looksForFree() {
    return crowded == 0 || --crowded == 0;
  }

  public void foundNoneFree() {
    crowded = CROWDED;
  }

  public int rotation() {
    return rotation;
  }

  /** A number that no other decision of any thread has. */
  public long decision() {
    return number << 32 | Integer.toUnsignedLong(draws);
  }

  public void placed(int index) {
    draws++;
    if (stay > 0) {
      stay--;
      rotation = index;
    } else {
      rotation = index + 1;
    }
  }

  public void lostRace() {
    if (draws - lastRace < CONTENDED) {
      stay = STAY;
    }
    lastRace = draws;
  }
}
