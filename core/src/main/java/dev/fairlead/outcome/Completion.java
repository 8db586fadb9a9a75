package dev.fairlead.outcome;

import dev.fairlead.pool.Timing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Something that ends once, and those who want to know. */
public abstract class Completion<R> {
  private static final VarHandle WATCHERS;

  static {
    try {
      WATCHERS = MethodHandles.lookup().findVarHandle(Completion.class, "watchers", Watcher.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  /**
   * A thread that waits for the end, or a callback, or neither: a thread that has given up. The
   * list of what has ended is {@link #CLOSED}.
   */
  private static final class Watcher {
    private final @Nullable Runnable callback;
    private final @Nullable Watcher next;
    private volatile @Nullable Thread waiter;

    Watcher(@Nullable Thread waiter, @Nullable Runnable callback, @Nullable Watcher next) {
      this.waiter = waiter;
      this.callback = callback;
      this.next = next;
    }

    boolean hasLeft() {
      return waiter == null && callback == null;
    }
  }

  private static final Watcher CLOSED = new Watcher(null, null, null);

  private volatile @Nullable Watcher watchers;

  /** How it ended; asked only once it has. */
  protected abstract Outcome<R> ended();

  /** Throws if the current thread must not wait for this without a limit. */
  protected abstract void checkWait();

  public final boolean isEnded() {
    return watchers == CLOSED;
  }

  /** Waits for the end. */
  public final Outcome<R> await() throws InterruptedException {
    await(Long.MAX_VALUE);
    return ended();
  }

  /** Waits for the end, but not longer than that; empty if it has not come. */
  public final Optional<Outcome<R>> await(Duration patience) throws InterruptedException {
    return await(Timing.nanos(patience)) ? Optional.of(ended()) : Optional.empty();
  }

  private boolean await(long nanos) throws InterruptedException {
    if (isEnded()) {
      return true;
    }
    if (nanos == Long.MAX_VALUE) {
      checkWait();
    }
    long begun = System.nanoTime();
    Watcher mine = watch(Thread.currentThread(), null);
    try {
      for (long left = nanos; !isEnded() && left > 0; left = nanos - (System.nanoTime() - begun)) {
        LockSupport.parkNanos(this, left);
        if (Thread.interrupted()) {
          throw new InterruptedException("Interrupted while waiting for a task");
        }
      }
      return isEnded();
    } finally {
      if (mine != null && !isEnded()) {
        leave(mine);
      }
    }
  }

  /**
   * Calls back at the end, on the thread that brings it about, after all who wait were woken; at
   * once if it has come.
   */
  public final void onEnd(Consumer<Outcome<R>> callback) {
    if (watch(null, () -> callback.accept(ended())) == null) {
      callback.accept(ended());
    }
  }

  private @Nullable Watcher watch(@Nullable Thread waiter, @Nullable Runnable callback) {
    for (Watcher seen = watchers; seen != CLOSED; seen = watchers) {
      Watcher mine = new Watcher(waiter, callback, seen);
      if (WATCHERS.compareAndSet(this, seen, mine)) {
        return mine;
      }
    }
    return null;
  }

  /** Gives up; those at the head of the list that have done so are dropped. */
  private void leave(Watcher mine) {
    mine.waiter = null;
    for (Watcher head = watchers;
        head != null && head != CLOSED && head.hasLeft();
        head = watchers) {
      WATCHERS.compareAndSet(this, head, head.next);
    }
  }

  /** How many are in the list of those who want to know, threads that have given up included. */
  final int watching() {
    int count = 0;
    for (Watcher each = watchers; each != null && each != CLOSED; each = each.next) {
      count++;
    }
    return count;
  }

  /** Publishes the end. A callback that throws harms no other. */
  protected final void finish() {
    Watcher first = (Watcher) WATCHERS.getAndSet(this, CLOSED);
    for (Watcher each = first; each != null; each = each.next) {
      LockSupport.unpark(each.waiter);
    }
    for (Watcher each = first; each != null; each = each.next) {
      if (each.callback != null) {
        call(each.callback);
      }
    }
  }

  private static void call(Runnable callback) {
    try {
      callback.run();
    } catch (Throwable thrown) {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
    }
  }

  /** What a stage has failed with, without what stages wrap around it. */
  protected static Throwable unwrapped(Throwable thrown) {
    Throwable cause = thrown.getCause();
    return thrown instanceof CompletionException && cause != null ? cause : thrown;
  }
}
