package dev.fairlead.media.supervise;

import dev.fairlead.media.wire.Report;
import java.time.Duration;

/** How long the decoder has given no sign of progress. Its owner's lock guards it. */
final class DecoderClock {
  private static final int MOST_HANGS = 3;

  private long sign = System.nanoTime();
  private boolean running;
  private int hangs;

  /** A worker is sent the command to decode. */
  void begin() {
    running = true;
    sign = System.nanoTime();
  }

  /** The worker is gone. */
  void stop() {
    running = false;
  }

  /** A worker's decoder reports something. */
  void reported(Report report) {
    sign = System.nanoTime();
    if (report instanceof Report.Decoded || report instanceof Report.DecodeFailed) {
      running = false;
    }
  }

  boolean isOver(Duration patience) {
    return running && System.nanoTime() - sign >= patience.toNanos();
  }

  /** Counts a hang; whether there were too many by now. */
  boolean hung() {
    hangs++;
    return hangs >= MOST_HANGS;
  }
}
