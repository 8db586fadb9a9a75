package dev.fairlead.compute;

import dev.fairlead.compute.driver.ComputeDriver;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Something on a device that has to be closed.
 *
 * <p>OPEN → CLOSED → released. A command holds what it uses for as long as it is being given, so
 * that nothing is released under the hands of another thread: whoever lets go of a closed resource
 * last releases it. A resource that is closed on a thread that is none of the device's own is
 * released by the next call on one that is.
 */
abstract sealed class DriverResource implements AutoCloseable
    permits DeviceBuffer, StagingBuffer, Program, Kernel, Stream, Event {
  private static final int CLOSED = Integer.MIN_VALUE;

  private final DriverSession session;
  private final long handle;
  private final long number;
  private final AtomicInteger holds = new AtomicInteger();

  DriverResource(DriverSession session, long handle) {
    this.session = session;
    this.handle = handle;
    this.number = session.nextNumber();
  }

  /**
   * The driver's own object, for other libraries that are used under a lease. It must not be
   * released by them.
   */
  public final long handle() {
    if (!isOpen()) {
      throw session.goneBecauseClosed(this);
    }
    return handle;
  }

  public final boolean isOpen() {
    return holds.get() >= 0;
  }

  /** Closes it. Commands that use it and were given before still end well. */
  @Override
  public final void close() {
    int held = holds.get();
    while (held >= 0 && !holds.compareAndSet(held, held + CLOSED)) {
      held = holds.get();
    }
    if (held >= 0) {
      closing();
      if (held == 0) {
        session.discard(this);
      }
    }
  }

  final void hold() {
    int held = holds.get();
    while (held >= 0 && !holds.compareAndSet(held, held + 1)) {
      held = holds.get();
    }
    if (held < 0) {
      throw session.goneBecauseClosed(this);
    }
  }

  final void letGo() {
    if (holds.decrementAndGet() == CLOSED) {
      session.discard(this);
    }
  }

  final DriverSession session() {
    return session;
  }

  /** The handle, whether open or not: for those that hold it or release it. */
  final long rawHandle() {
    return handle;
  }

  /** In the order in which the resources of a session were made. */
  final long number() {
    return number;
  }

  /** The session ends: closes it without a word to the driver. */
  final void abandon() {
    int held = holds.getAndUpdate(value -> value < 0 ? value : value + CLOSED);
    if (held >= 0) {
      closing();
    }
  }

  /** Called once, when it is closed. */
  void closing() {}

  /** Gives the driver's object back; called once, on one of the device's own threads. */
  abstract void release(ComputeDriver driver);

  /** What it is, for messages: a noun with its article. */
  abstract String what();

  @Override
  public final String toString() {
    return what() + " on " + session.device();
  }
}
