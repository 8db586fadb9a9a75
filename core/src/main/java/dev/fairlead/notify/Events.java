package dev.fairlead.notify;

import dev.fairlead.device.Device;
import dev.fairlead.event.PoolListener;
import dev.fairlead.event.PoolListener.Event;
import dev.fairlead.event.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Tells what happens in a pool to all who have subscribed, each by a queue of its own. */
public final class Events {
  private final AtomicLong numbers = new AtomicLong();
  private volatile List<EventQueue> queues = List.of();
  private volatile boolean tellsLeases;
  private volatile boolean explains;
  private volatile boolean tellsFreed;
  private boolean closed; // guarded by this

  public Events(PoolListener first) {
    if (!(first instanceof PoolListener.Silent)) {
      Subscription _ = subscribe(first);
    }
  }

  /** Tells the listener as well, until its subscription is closed. */
  public Subscription subscribe(PoolListener listener) {
    EventQueue queue = new EventQueue(listener);
    synchronized (this) {
      if (!closed) {
        List<EventQueue> more = new ArrayList<>(queues);
        more.add(queue);
        use(more);
        // Leases are numbered on its behalf by now: what has a later number is told to it whole.
        queue.begin(numbers.get() + 1);
      }
    }
    return () -> remove(queue);
  }

  private synchronized void remove(EventQueue queue) {
    List<EventQueue> fewer = new ArrayList<>(queues);
    if (fewer.remove(queue)) {
      use(fewer);
      queue.cancel();
    }
  }

  private void use(List<EventQueue> now) {
    queues = List.copyOf(now);
    tellsLeases = now.stream().anyMatch(EventQueue::wantsLeases);
    explains = now.stream().anyMatch(EventQueue::wantsExplanations);
    tellsFreed = now.stream().anyMatch(EventQueue::wantsFreed);
  }

  /** Whether a listener wants to hear of leases, so that they are numbered. */
  public boolean tellsLeases() {
    return tellsLeases;
  }

  /** Whether a listener wants to hear why leases are placed as they are. */
  public boolean explains() {
    return explains;
  }

  /** The device may have something to give; told to listeners that want to know. */
  public void tellFreed(Device device) {
    if (tellsFreed) {
      tell(new Event.Freed(device));
    }
  }

  /** The number of the next lease, from one on; zero if no listener wants to know. */
  public long number() {
    return tellsLeases ? numbers.incrementAndGet() : 0;
  }

  public void tell(Event event) {
    for (EventQueue queue : queues) {
      queue.tell(event);
    }
  }

  /** Waits until all that was left so far is told; false if it is not in time. */
  public boolean settle(Duration patience) {
    long begun = System.nanoTime();
    boolean told = true;
    for (EventQueue queue : queues) {
      told &= queue.settle(left(patience, begun));
    }
    return told;
  }

  /** Tells what is left within one patience, and ends the listeners' threads. */
  public void close(Duration patience) {
    long begun = System.nanoTime();
    List<EventQueue> all;
    synchronized (this) {
      closed = true;
      all = queues;
    }
    for (EventQueue queue : all) {
      queue.close(left(patience, begun));
    }
  }

  private static Duration left(Duration patience, long begun) {
    long nanos = TimeUnit.NANOSECONDS.convert(patience);
    return nanos == Long.MAX_VALUE
        ? patience
        : Duration.ofNanos(Math.max(0, nanos - (System.nanoTime() - begun)));
  }
}
