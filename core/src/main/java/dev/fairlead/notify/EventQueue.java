package dev.fairlead.notify;

import dev.fairlead.device.DeviceId;
import dev.fairlead.event.PoolListener;
import dev.fairlead.event.PoolListener.Event;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What one listener is still to be told, in the order in which it happened. A thread of its own
 * tells it, so that a listener that blocks, or asks the pool something, holds up neither the pool
 * nor another listener. Events are left here under the locks of devices: leaving one never waits.
 *
 * <p>A listener that is too slow has {@link #MOST} events waiting; further ones of leases are
 * counted instead of kept, and it is told how many.
 *
 * <p>A listener hears of the leases that were asked for after it had subscribed, so that what it
 * hears of each is whole. Events are kept from the moment at which the queue is known, and told
 * from {@link #begin} on, which says where that line is.
 */
final class EventQueue implements Runnable {
  private static final int MOST = 1 << 16;

  /** The number of no lease. */
  private static final long NONE = -1;

  private final PoolListener listener;
  private final boolean wantsLeases;
  private final boolean wantsExplanations;
  private final boolean wantsFreed;
  private final ConcurrentLinkedQueue<Event> waiting = new ConcurrentLinkedQueue<>();
  private final Set<DeviceId> freed = ConcurrentHashMap.newKeySet();
  private final AtomicInteger size = new AtomicInteger();
  private final AtomicLong missed = new AtomicLong();
  private final AtomicLong left = new AtomicLong();
  private final AtomicLong told = new AtomicLong();
  private long firstLease; // written before begun
  private volatile boolean begun;
  private volatile boolean cancelled;
  private volatile boolean closed;
  private volatile boolean over;
  private volatile boolean parked;
  private volatile @Nullable Thread thread;

  EventQueue(PoolListener listener) {
    this.listener = listener;
    this.wantsLeases = listener.wantsLeases();
    this.wantsExplanations = wantsLeases && listener.wantsExplanations();
    this.wantsFreed = listener.wantsFreed();
  }

  boolean wantsLeases() {
    return wantsLeases;
  }

  boolean wantsExplanations() {
    return wantsExplanations;
  }

  boolean wantsFreed() {
    return wantsFreed;
  }

  /**
   * Begins to tell.
   *
   * @param first the number of the first lease of which the listener hears
   */
  void begin(long first) {
    firstLease = first;
    begun = true;
    if (!waiting.isEmpty()) {
      start();
    }
  }

  void tell(Event event) {
    long lease = leaseOf(event);
    if (over || (lease != NONE && !wantsLeases) || isKnown(event)) {
      return;
    }
    if (size.get() >= MOST && lease != NONE) {
      missed.incrementAndGet();
      return;
    }
    size.incrementAndGet();
    left.incrementAndGet();
    waiting.add(event);
    if (over) {
      // No thread is there any more to tell it, unless it was seen just now.
      left.addAndGet(waiting.remove(event) ? -1 : 0);
    } else if (thread == null) {
      start();
    } else if (parked) {
      parked = false;
      LockSupport.unpark(thread);
    }
  }

  /** It matters that a device was freed, not how often: one such event of each is kept. */
  private boolean isKnown(Event event) {
    return event instanceof Event.Freed(var device) && (!wantsFreed || !freed.add(device.id()));
  }

  private static long leaseOf(Event event) {
    return switch (event) {
      case Event.Placed placed -> placed.lease();
      case Event.Moved moved -> moved.lease();
      case Event.Withdrawn withdrawn -> withdrawn.lease();
      case Event.Ended ended -> ended.lease();
      case Event.HealthChanged _,
          Event.Added _,
          Event.Removed _,
          Event.Paused _,
          Event.Resumed _,
          Event.Leaving _,
          Event.Freed _,
          Event.Rebuilt _,
          Event.Overdue _,
          Event.Trouble _,
          Event.Missed _,
          Event.Closing _ ->
          NONE;
    };
  }

  private synchronized void start() {
    if (thread == null && begun && !closed) {
      thread = Thread.ofPlatform().daemon().name("fairlead listener").start(this);
    }
  }

  @Override
  public void run() {
    while (true) {
      Event event = waiting.poll();
      if (cancelled) {
        return; // looked at after the event: what was before it may have been thrown away
      }
      if (event != null) {
        size.decrementAndGet();
        tellNow(event);
        told.incrementAndGet();
      } else if (missed.get() > 0) {
        long count = missed.getAndSet(0);
        ForeignCode.quietly(() -> listener.on(new Event.Missed(count)));
      } else if (over) {
        return;
      } else if (closed) {
        over = true; // one more look, for what was left before this was known
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

  private void tellNow(Event event) {
    if (event instanceof Event.Freed(var device)) {
      freed.remove(device.id());
    }
    long lease = leaseOf(event);
    if (lease == NONE || lease >= firstLease) {
      ForeignCode.quietly(() -> listener.on(event));
    }
  }

  /** Waits until all that was left so far is told; false if it is not in time. */
  @SuppressWarnings("ReferenceEquality")
  boolean settle(Duration patience) {
    long goal = left.get();
    long begin = System.nanoTime();
    long nanos = TimeUnit.NANOSECONDS.convert(patience);
    while (told.get() < goal && !cancelled && Thread.currentThread() != thread) {
      if (System.nanoTime() - begin > nanos) {
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
    end();
  }

  /** Ends without telling what is left. */
  void cancel() {
    cancelled = true;
    end();
    over = true;
    waiting.clear();
  }

  private void end() {
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
