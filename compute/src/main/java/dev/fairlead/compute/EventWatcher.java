package dev.fairlead.compute;

import dev.fairlead.compute.driver.ComputeException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a device that waits for the events of one stream, in their order, and completes them.
 * It is started for the first event that somebody wants to be told of.
 */
final class EventWatcher implements Runnable {
  /** How long an answer to a completion may hold up the end of its stream. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final DriverSession session;
  private final Thread thread;
  private final Deque<Event> waiting = new ArrayDeque<>();
  private @Nullable Event current;
  private boolean stopped;

  private EventWatcher(DriverSession session) {
    this.session = session;
    this.thread =
        Thread.ofPlatform()
            .daemon()
            .name("fairlead " + session.device().label() + " events")
            .unstarted(this);
  }

  static EventWatcher start(DriverSession session) {
    EventWatcher watcher = new EventWatcher(session);
    watcher.thread.start();
    return watcher;
  }

  synchronized void add(Event event) {
    waiting.add(event);
    notifyAll();
  }

  @Override
  public void run() {
    boolean bound = false;
    try {
      for (Event event = next(); event != null; event = next()) {
        try {
          if (!bound) {
            session.bind();
            bound = true;
          }
          event.awaitHeld();
          event.watched().complete(null);
        } catch (RuntimeException | Error failure) {
          // By the time it is refused for the poison, those who wait may not have heard of that.
          ComputeException poison = session.poison();
          event.watched().completeExceptionally(poison == null ? failure : poison);
        } finally {
          event.letGo();
        }
      }
    } finally {
      session.unbind();
    }
  }

  private synchronized @Nullable Event next() {
    current = null;
    try {
      while (waiting.isEmpty() && !stopped) {
        wait();
      }
    } catch (InterruptedException nobodyDoesThat) {
      stopped = true;
    }
    current = waiting.poll();
    return current;
  }

  /** Fails all that is waited for, whether or not the driver ever answers. */
  void fail(Throwable reason) {
    List<Event> failed;
    synchronized (this) {
      failed = new ArrayList<>(waiting);
      if (current != null) {
        failed.add(current);
      }
    }
    failed.forEach(event -> event.watched().completeExceptionally(reason));
  }

  /**
   * Ends the thread once what it waits for has come.
   *
   * @param coming whether that is sure to come, so that the caller waits for the thread
   */
  void stop(boolean coming) {
    synchronized (this) {
      stopped = true;
      notifyAll();
    }
    if (coming && !thread.equals(Thread.currentThread())) {
      try {
        boolean _ = thread.join(PATIENCE);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
