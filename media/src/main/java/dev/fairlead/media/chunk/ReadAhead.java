package dev.fairlead.media.chunk;

/**
 * How many pictures a pump keeps ahead of the reader that is furthest. Few, since pictures that no
 * reader asks for yet only take memory; more when a reader has had to wait, fewer again when none
 * has.
 *
 * <p>Thread-safe, and the lock of all chunks of its pump: what changes here or there wakes
 * everybody.
 */
public final class ReadAhead {
  private static final int LEAST = 8;
  private static final int MOST = 1 << 20;

  private int pictures = LEAST;
  private boolean waited;
  private boolean rested;
  private int pressed;
  private boolean hungry;
  private boolean whole;

  /** How many there may be ahead of the readers of a chunk. */
  synchronized int pictures() {
    return whole || hungry ? Integer.MAX_VALUE : pictures;
  }

  /** Whether chunks are decoded to their ends, whether or not they are read. */
  public synchronized void whole(boolean now) {
    whole = now;
    notifyAll();
  }

  /** Whether lanes run out of units: then the next chunk cannot come too early. */
  public synchronized void hungry(boolean now) {
    hungry = now;
    notifyAll();
  }

  /** A reader waits for a picture. */
  synchronized void waited() {
    waited = true;
  }

  /** The pump waits, for readers or for room: whatever is slow, it is not decoding. */
  public synchronized void rested() {
    rested = true;
  }

  /**
   * For how many chunks in a row readers have waited for the pump, and it for nothing: decoding is
   * the bottleneck.
   */
  public synchronized int pressed() {
    return pressed;
  }

  /** A chunk begins: what was seen in the one before counts. */
  synchronized void next() {
    pictures = waited ? Math.min(MOST, pictures * 2) : Math.max(LEAST, pictures / 2);
    pressed = waited && !rested ? pressed + 1 : 0;
    waited = false;
    rested = false;
  }
}
