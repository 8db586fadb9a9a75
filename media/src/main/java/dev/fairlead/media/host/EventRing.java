package dev.fairlead.media.host;

import dev.fairlead.media.job.HostEvent;
import dev.fairlead.media.job.JobStatus;
import dev.fairlead.media.records.JobId;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The last events of all jobs, for listeners that each take them at their own pace. Adding one
 * never waits: a listener that falls behind further than this reaches is reset. Thread-safe.
 */
public final class EventRing implements AutoCloseable {
  private final Supplier<List<JobStatus>> jobs;

  // Guarded by this.
  private final @Nullable HostEvent[] last;
  private long next = 1;
  private boolean closed;

  /**
   * A ring of so many events.
   *
   * @param jobs how all of them stand; asked without a lock
   */
  public EventRing(int capacity, Supplier<List<JobStatus>> jobs) {
    this.last = new HostEvent[capacity];
    this.jobs = jobs;
  }

  public synchronized void add(JobId job, HostEvent.What what) {
    if (closed) {
      return;
    }
    last[place(next)] = new HostEvent(next, job, what);
    next++;
    notifyAll();
  }

  /**
   * Has a listener take all events from a number on. From 0, or a number that is not there yet, it
   * is reset first.
   *
   * @return ends it
   */
  public HostEvent.Subscription subscribe(long from, HostEvent.Listener listener) {
    Thread thread = Thread.ofVirtual().name("fairlead events").start(() -> deliver(from, listener));
    return thread::interrupt;
  }

  private void deliver(long from, HostEvent.Listener listener) {
    long wanted = from < 1 || from > next() ? reset(listener) : from;
    try {
      while (await(wanted)) {
        Optional<HostEvent> event = event(wanted);
        if (event.isPresent()) {
          wanted++;
          guard(() -> listener.on(event.get()));
        } else {
          wanted = reset(listener);
        }
        if (Thread.interrupted()) {
          return;
        }
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** Hands over how all jobs stand; gives the number of the next event. */
  private long reset(HostEvent.Listener listener) {
    long present = next();
    List<JobStatus> state = jobs.get();
    guard(() -> listener.reset(state, present));
    return present;
  }

  private static void guard(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException | Error failure) {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
    }
  }

  private synchronized long next() {
    return next;
  }

  /** Waits for an event, or a later one; false if there is none any more. */
  private synchronized boolean await(long number) throws InterruptedException {
    while (next <= number && !closed) {
      wait();
    }
    return next > number;
  }

  /** An event that was added; empty if it is too old. */
  private synchronized Optional<HostEvent> event(long number) {
    return number < next - last.length
        ? Optional.empty()
        : Optional.ofNullable(last[place(number)]);
  }

  private int place(long number) {
    return (int) (number % last.length);
  }

  /** No event comes any more; listeners take those that are there, and end. */
  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }
}
