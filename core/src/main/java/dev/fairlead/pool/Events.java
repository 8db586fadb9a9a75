package dev.fairlead.pool;

import dev.fairlead.pool.PoolListener.Event;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What is to be told to the listener, in the order in which it happened. A thread of its own tells
 * it, so that a listener that blocks, or asks the pool something, holds up nobody. Events are left
 * here under the locks of devices: leaving one never waits.
 *
 * <p>A listener that is too slow has {@link #MOST} events waiting; further ones of leases are
 * counted instead of kept, and it is told how many.
 */
final class Events implements Runnable {
  private static final int MOST = 1 << 16;

  private final PoolListener listener;
  private final boolean silent;
  private final boolean tellsLeases;
  private final ConcurrentLinkedQueue<Event> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();
  private final AtomicLong missed = new AtomicLong();
  private final AtomicLong left = new AtomicLong();
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicLong told = new AtomicLong();
  private volatile boolean closed;
  private volatile boolean over;
  private volatile boolean parked;
  private volatile @Nullable Thread thread;

  Events(PoolListener listener) {
    this.listener = listener;
    this.silent = listener instanceof PoolListener.Silent;
    this.tellsLeases = listener.wantsLeases();
  }

  boolean tellsLeases() {
    return tellsLeases;
  }

  boolean explains() {
    return listener.wantsExplanations();
  }

  /** The number of the next lease, from one on; zero if nobody wants to know. */
  long number() {
    return tellsLeases ? numbers.incrementAndGet() : 0;
  }

  void tell(Event event) {
    if (silent || over) {
      return;
    }
    if (size.get() >= MOST && isOfLease(event)) {
      missed.incrementAndGet();
      return;
    }
    size.incrementAndGet();
    left.incrementAndGet();
    waiting.add(event);
    if (over) {
      // Nobody is there any more to tell it, unless it was seen just now.
      left.addAndGet(waiting.remove(event) ? -1 : 0);
    } else if (thread == null) {
      start();
    } else if (parked) {
      parked = false;
      LockSupport.unpark(thread);
    }
  }

  private static boolean isOfLease(Event event) {
    return switch (event) {
      case Event.Placed _, Event.Moved _, Event.Withdrawn _, Event.Ended _ -> true;
      case Event.HealthChanged _,
          Event.Added _,
          Event.Removed _,
          Event.Rebuilt _,
          Event.Overdue _,
          Event.Trouble _,
          Event.Missed _ ->
          false;
    };
  }

  private synchronized void start() {
    if (thread == null && !closed) {
      thread = Thread.ofPlatform().daemon().name("fairlead listener").start(this);
    }
  }

  @Override
  public void run() {
    while (true) {
      Event event = waiting.poll();
      if (event != null) {
        size.decrementAndGet();
        ForeignCode.quietly(() -> listener.on(event));
        told.incrementAndGet();
      } else if (missed.get() > 0) {
        long count = missed.getAndSet(0);
        ForeignCode.quietly(() -> listener.on(new Event.Missed(count)));
      } else if (over) {
        return;
      } else if (closed) {
        over = true; // one more look, for what was left before anybody could know
      } else {
        parked = true;
        if (waiting.isEmpty() && !closed) {
          LockSupport.park(this);
        }
        parked = false;
        Thread.interrupted(); // left behind by a listener
      }
    }
  }

  /** Waits until all that was left so far is told; false if it is not in time. */
  @SuppressWarnings("ReferenceEquality")
  boolean settle(Duration patience) {
    long goal = left.get();
    long begun = System.nanoTime();
    long nanos = Timing.nanos(patience);
    while (told.get() < goal && Thread.currentThread() != thread) {
      if (System.nanoTime() - begun > nanos) {
        return false;
      }
      LockSupport.parkNanos(this, 100_000);
    }
    return true;
  }

  /**
   * Tells what is left, and ends the thread; what happens later is not told. A listener that does
   * not come back is left behind.
   */
  void close(Duration patience) {
    settle(patience);
    synchronized (this) {
      closed = true;
      over |= thread == null;
    }
    Thread running = thread;
    if (running != null) {
      LockSupport.unpark(running);
    }
  }
}
