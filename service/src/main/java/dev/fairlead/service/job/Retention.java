package dev.fairlead.service.job;

import dev.fairlead.service.upload.Uploads;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * Removes, on a thread of its own, what was kept for long enough: jobs that are over, with their
 * files, and uploads that no job uses.
 */
public final class Retention implements AutoCloseable {
  private static final long LOOK_MINUTES = 30;

  private final Jobs jobs;
  private final Uploads uploads;
  private final Duration keep;
  private final InstantSource clock;
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * Begins when it is started.
   *
   * @param keep for how long
   */
  public Retention(Jobs jobs, Uploads uploads, Duration keep, InstantSource clock) {
    this.jobs = jobs;
    this.uploads = uploads;
    this.keep = keep;
    this.clock = clock;
  }

  /** Looks now, and from then on twice an hour. */
  public void start(BiConsumer<String, Throwable> mishaps) {
    Thread.ofVirtual().name("retention").start(() -> run(mishaps));
  }

  private void run(BiConsumer<String, Throwable> mishaps) {
    try {
      do {
        try {
          sweep();
        } catch (RuntimeException failure) {
          mishaps.accept("the removal of what is old", failure);
        }
      } while (!closed.await(LOOK_MINUTES, TimeUnit.MINUTES));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** Removes what is due now. */
  void sweep() {
    jobs.removeEndedBefore(clock.instant().minus(keep));
    uploads.removeOlder(clock.instant().minus(keep), jobs::reads);
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
