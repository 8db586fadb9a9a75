package dev.fairlead.service.http;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;

/** Closes what is read when nothing has come for too long, so that its reader goes on. */
public final class Watch implements AutoCloseable {
  private final Closeable watched;
  private final long nanos;
  private final Thread thread;
  private volatile long last = System.nanoTime();

  private Watch(Closeable watched, Duration silence) {
    this.watched = watched;
    this.nanos = silence.toNanos();
    this.thread = Thread.ofVirtual().name("fairlead silence").unstarted(this::watch);
  }

  public static Watch of(Closeable watched, Duration silence) {
    Watch watch = new Watch(watched, silence);
    watch.thread.start();
    return watch;
  }

  /** Something has come. */
  public void heard() {
    last = System.nanoTime();
  }

  private void watch() {
    try {
      for (long left = nanos; left > 0; left = nanos - (System.nanoTime() - last)) {
        Thread.sleep(Duration.ofNanos(left));
      }
      watched.close();
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    } catch (IOException closedAlready) {
      // Its reader has ended, or will.
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
