package dev.fairlead.media.local;

import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.progress.GuardedListener;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Hands the events of a job to its listener, on a thread of its own: one that blocks holds up
 * nothing. While it is far behind it does not hear of progress, so that what waits stays small.
 */
final class QueuedListener implements TranscodeListener, AutoCloseable {
  private static final int FAR_BEHIND = 1_000;
  private static final Duration TO_END = Duration.ofSeconds(5);

  private final LinkedBlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
  private final GuardedListener listener;
  private final Thread thread;
  private volatile boolean over;

  QueuedListener(String name, TranscodeListener listener) {
    this.listener = new GuardedListener(listener);
    this.thread = Thread.ofVirtual().name("events of " + name).start(this::deliver);
  }

  @Override
  public void on(Event event) {
    if (!(event instanceof Event.Progress) || events.size() < FAR_BEHIND) {
      events.add(() -> listener.report(event));
    }
  }

  private void deliver() {
    try {
      while (!over) {
        events.take().run();
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until all is heard, but not for ever. */
  @Override
  public void close() {
    events.add(() -> over = true);
    if (Thread.currentThread().equals(thread)) {
      return;
    }
    try {
      if (!thread.join(TO_END)) {
        thread.interrupt();
      }
    } catch (InterruptedException hurry) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }
}
