package dev.fairlead.dispatch;

import dev.fairlead.outcome.Outcome;
import dev.fairlead.outcome.TaskException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The ordered outcomes of a sequence of items that are being worked on. Items are submitted as
 * outcomes are taken, so that never more than the window are ahead of the one that is next. For one
 * thread at a time. Closing cancels what has not been taken.
 */
public final class Distribution<R> implements Iterable<Outcome<R>>, AutoCloseable {
  private final Iterator<Submission<R>> items;
  private final int window;
  private final ArrayDeque<Task<R>> ahead = new ArrayDeque<>();
  private @Nullable Submission<R> pending;

  /** An item that is ready to be submitted. */
  @FunctionalInterface
  interface Submission<R> {
    Task<R> submit() throws InterruptedException;
  }

  Distribution(Iterator<Submission<R>> items, int window) {
    if (window < 1) {
      throw new IllegalArgumentException("window is less than one: " + window);
    }
    this.items = Objects.requireNonNull(items, "items is null");
    this.window = window;
  }

  public boolean hasNext() {
    return !ahead.isEmpty() || pending != null || items.hasNext();
  }

  /** Waits for the next outcome in the items' order. */
  public Outcome<R> take() throws InterruptedException {
    while (ahead.size() < window && (pending != null || items.hasNext())) {
      // Kept until it is submitted: an interrupt on the way in must not lose the item.
      Submission<R> next = pending == null ? items.next() : pending;
      pending = next;
      ahead.add(next.submit());
      pending = null;
    }
    Task<R> next = ahead.peek();
    if (next == null) {
      throw new NoSuchElementException("All outcomes have been taken");
    }
    Outcome<R> outcome = next.await();
    ahead.remove();
    return outcome;
  }

  /**
   * The outcomes that have not been taken yet, each taken as it is asked for. An interrupt comes
   * out as {@link TaskException.Interrupted}.
   */
  @Override
  public Iterator<Outcome<R>> iterator() {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return Distribution.this.hasNext();
      }

      @Override
      public Outcome<R> next() {
        try {
          return take();
        } catch (InterruptedException interrupted) {
          Thread.currentThread().interrupt();
          throw new TaskException.Interrupted(interrupted);
        }
      }
    };
  }

  @Override
  public void close() {
    ahead.forEach(Task::cancel);
    ahead.clear();
  }
}
