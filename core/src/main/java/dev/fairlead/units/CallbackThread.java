package dev.fairlead.units;

import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Calls listeners and callbacks, one after the other, on a thread of its own: whatever they do, no
 * thread that has work to do waits for them.
 */
final class CallbackThread implements Runnable {
  private final LinkedBlockingQueue<Runnable> news = new LinkedBlockingQueue<>();
  private final Thread thread = Thread.ofVirtual().name("fairlead callbacks").unstarted(this);
  private boolean over; // owned by the thread

  void start() {
    thread.start();
  }

  void post(Runnable piece) {
    news.add(piece);
  }

  /** Ends once all that was posted before has run. */
  void stop() {
    news.add(() -> over = true);
  }

  boolean isCurrent() {
    return thread.equals(Thread.currentThread());
  }

  Thread thread() {
    return thread;
  }

  @Override
  public void run() {
    while (!over) {
      Runnable piece = next();
      if (piece != null) {
        try {
          piece.run();
        } catch (RuntimeException | Error thrown) {
          thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        }
      }
    }
  }

  private @Nullable Runnable next() {
    try {
      return news.take();
    } catch (InterruptedException leftByACallback) {
      return null;
    }
  }
}
