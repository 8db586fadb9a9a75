package dev.fairlead.run;

import dev.fairlead.device.DeviceContext;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A context that is open on a device, in one generation of it. The maintenance thread asks it for
 * its load from a thread of its own, one question at a time; callers bind it on their threads, as
 * many as like. Closing takes the turn to ask for good and lets no caller in any more, so that
 * nothing is inside when it closes and nothing comes after.
 */
public final class OpenContext {
  private static final long LOOK_AGAIN_NANOS = 200_000;
  private static final int CLOSED_TO_USERS = 1 << 30;

  private final DeviceContext context;
  private final int generation;
  private final boolean absent;
  private final @Nullable FirstUse firstUse;
  private final AtomicBoolean asked = new AtomicBoolean();
  private final AtomicInteger users = new AtomicInteger();
  private volatile boolean mute;
  private volatile boolean shut;

  private OpenContext(
      DeviceContext context, int generation, boolean absent, @Nullable FirstUse firstUse) {
    this.context = context;
    this.generation = generation;
    this.absent = absent;
    this.firstUse = firstUse;
  }

  static OpenContext of(DeviceContext context, int generation) {
    return new OpenContext(context, generation, false, null);
  }

  /** What stands where no context is open yet, or none any more. */
  static OpenContext absent(int generation) {
    return new OpenContext(DeviceContext.none(), generation, true, null);
  }

  /** What stands for a context until its first use. */
  static OpenContext unopened(DeviceContext.Unopened standIn, int generation, FirstUse firstUse) {
    return new OpenContext(standIn, generation, false, firstUse);
  }

  public DeviceContext context() {
    return context;
  }

  public int generation() {
    return generation;
  }

  public boolean isAbsent() {
    return absent;
  }

  /** What opens the context; null where it is open, or where none is to be. */
  public @Nullable FirstUse firstUse() {
    return firstUse;
  }

  /** Whether the context has nothing to say of its load, so that asking it is in vain. */
  public boolean isMute() {
    return mute;
  }

  public void mute() {
    mute = true;
  }

  /** Takes the turn to ask; false if another thread has it. */
  public boolean ask() {
    return asked.compareAndSet(false, true);
  }

  public void answered() {
    asked.set(false);
  }

  /** Begins to use the context on a caller's thread; false if it is being closed. */
  public boolean enter() {
    int seen = users.get();
    while ((seen & CLOSED_TO_USERS) == 0) {
      if (users.compareAndSet(seen, seen + 1)) {
        return true;
      }
      seen = users.get();
    }
    return false;
  }

  public void exit() {
    users.decrementAndGet();
  }

  /**
   * Takes the turn to ask for good and lets no caller in any more, waiting for those that are
   * inside; false if they stay there.
   */
  boolean shutOut(Duration patience) {
    long begun = System.nanoTime();
    long nanos = TimeUnit.NANOSECONDS.convert(patience);
    users.getAndUpdate(seen -> seen | CLOSED_TO_USERS);
    boolean asks = ask();
    while (!asks || users.get() != CLOSED_TO_USERS) {
      if (System.nanoTime() - begun > nanos) {
        return false;
      }
      LockSupport.parkNanos(this, LOOK_AGAIN_NANOS);
      asks = asks || ask();
    }
    shut = true;
    return true;
  }

  /** No caller is inside or comes any more: the thread that has shut it closes it. */
  boolean isShut() {
    return shut;
  }
}
