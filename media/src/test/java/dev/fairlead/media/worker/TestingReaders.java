package dev.fairlead.media.worker;

import dev.fairlead.media.wire.Report;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;

/** Reads chunks in the place of lanes. */
final class TestingReaders {
  static final Duration PATIENCE = Duration.ofSeconds(50);

  private TestingReaders() {}

  static void awaitWaiting(Thread reader) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (reader.isAlive() && reader.getState() != Thread.State.WAITING) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("The reader is " + reader.getState() + " and does not wait");
      }
      Thread.onSpinWait();
    }
  }

  static Report next(BlockingQueue<Report> reports) throws InterruptedException {
    Report report = reports.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    if (report == null) {
      throw new AssertionError("No report in " + PATIENCE);
    }
    return report;
  }

  static void drop(HeldChunks chunks, long chunk) {
    try {
      chunks.get(chunk).get(Integer.MAX_VALUE - 1);
      chunks.release(chunk);
    } catch (InterruptedException stopped) {
      throw new CancellationException();
    }
  }
}
