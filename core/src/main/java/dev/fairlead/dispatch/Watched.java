package dev.fairlead.dispatch;

import dev.fairlead.pool.Timing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Something that ends once, and those who want to know. */
abstract class Watched<R> {
  private static final VarHandle WATCHERS;

  static {
    try {
      WATCHERS = MethodHandles.lookup().findVarHandle(Watched.class, "watchers", Watcher.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  /** Someone who wants to know the end; the list of what has ended is {@link #CLOSED}. */
  private static final class Watcher {
    private final Runnable tell;
    private final @Nullable Watcher next;

    Watcher(Runnable tell, @Nullable Watcher next) {
      this.tell = tell;
      this.next = next;
    }
  }

  private static final Watcher CLOSED = new Watcher(() -> {}, null);

  private volatile @Nullable Watcher watchers;

  /** How it ended; asked only once it has. */
  abstract Outcome<R> ended();

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
    long begun = System.nanoTime();
    Thread waiter = Thread.currentThread();
    watch(() -> LockSupport.unpark(waiter));
    for (long left = nanos; !isEnded() && left > 0; left = nanos - (System.nanoTime() - begun)) {
      LockSupport.parkNanos(this, left);
      if (Thread.interrupted()) {
        throw new InterruptedException("Interrupted while waiting for a task");
      }
    }
    return isEnded();
  }

  /** Calls back at the end, on the thread that brings it about; at once if it has come. */
  public final void onEnd(Consumer<Outcome<R>> callback) {
    if (!watch(() -> callback.accept(ended()))) {
      callback.accept(ended());
    }
  }

  private boolean watch(Runnable tell) {
    for (Watcher seen = watchers; seen != CLOSED; seen = watchers) {
      if (WATCHERS.compareAndSet(this, seen, new Watcher(tell, seen))) {
        return true;
      }
    }
    return false;
  }

  /** Publishes the end. A callback that throws harms nobody else. */
  final void finish() {
    Watcher each = (Watcher) WATCHERS.getAndSet(this, CLOSED);
    while (each != null) {
      try {
        each.tell.run();
      } catch (RuntimeException | Error thrown) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
      }
      each = each.next;
    }
  }
}
