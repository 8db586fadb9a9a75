package dev.fairlead.compute;

import dev.fairlead.compute.driver.ComputeDriver;
import dev.fairlead.compute.driver.ComputeDriver.Copy;
import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.compute.driver.Grid;
import dev.fairlead.policy.Priority;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Commands that a device carries out in the order in which they were given, while the caller goes
 * on. Streams of one device run beside each other, so that copies in one overlap with kernels in
 * another; {@link #waitFor} puts their commands in order.
 *
 * <p>What a command uses must stay as it is until the command has ended: {@link #mark} gives an
 * event that tells, {@link #synchronise} waits.
 */
public final class Stream extends DriverResource {
  private final Priority priority;
  private final AtomicLong given = new AtomicLong();
  private final AtomicLong ended = new AtomicLong();
  private final Object lock = new Object();
  private @Nullable EventWatcher watcher;

  Stream(DriverSession session, long handle, Priority priority) {
    super(session, handle);
    this.priority = priority;
  }

  public Priority priority() {
    return priority;
  }

  /** Copies all that was staged to the beginning of a buffer. */
  public void upload(StagingBuffer from, DeviceBuffer to) {
    upload(from, 0, to, 0, from.bytes());
  }

  public void upload(
      StagingBuffer from, long fromOffset, DeviceBuffer to, long toOffset, long bytes) {
    within(from, from.bytes(), fromOffset, bytes);
    within(to, to.bytes(), toOffset, bytes);
    give(
        List.of(this, from, to),
        from,
        driver ->
            driver.upload(
                rawHandle(),
                new Copy(from.address(), fromOffset, to.rawHandle(), toOffset, bytes)));
  }

  /** Copies the beginning of a buffer to all of the staging buffer. */
  public void download(DeviceBuffer from, StagingBuffer to) {
    download(from, 0, to, 0, to.bytes());
  }

  public void download(
      DeviceBuffer from, long fromOffset, StagingBuffer to, long toOffset, long bytes) {
    within(from, from.bytes(), fromOffset, bytes);
    within(to, to.bytes(), toOffset, bytes);
    give(
        List.of(this, from, to),
        to,
        driver ->
            driver.download(
                rawHandle(),
                new Copy(from.rawHandle(), fromOffset, to.address(), toOffset, bytes)));
  }

  /**
   * Copies all of a buffer to the beginning of one on this device. The first may be on another
   * device, if what was to be written there has ended: the bytes then go straight from device to
   * device where these reach each other, over the host if not, and are there when the call returns.
   *
   * @return whether no byte went over the host
   */
  public boolean copy(DeviceBuffer from, DeviceBuffer to) {
    return copy(from, 0, to, 0, from.bytes());
  }

  /** The same with a part of a buffer. */
  public boolean copy(
      DeviceBuffer from, long fromOffset, DeviceBuffer to, long toOffset, long bytes) {
    within(from, from.bytes(), fromOffset, bytes);
    within(to, to.bytes(), toOffset, bytes);
    if (from.isElsewhere(session())) {
      return new CrossDeviceCopy(this, from, to).run(fromOffset, toOffset, bytes);
    }
    give(
        List.of(this, from, to),
        null,
        driver ->
            driver.copy(
                rawHandle(),
                new Copy(from.rawHandle(), fromOffset, to.rawHandle(), toOffset, bytes)));
    return true;
  }

  /** Gives a copy from another device to the driver, if it can do without the host. */
  boolean copyAcross(ComputeDriver owner, DeviceBuffer to, Copy copy) {
    return session()
        .ask(
            List.of(this, to),
            driver -> {
              given.incrementAndGet();
              return driver.copyAcross(rawHandle(), owner, copy);
            });
  }

  /** Sets every byte of a buffer. */
  public void fill(DeviceBuffer buffer, byte value) {
    give(
        List.of(this, buffer),
        null,
        driver ->
            driver.fill(rawHandle(), new Copy(0, 0, buffer.rawHandle(), 0, buffer.bytes()), value));
  }

  /**
   * Launches a kernel over a grid.
   *
   * @throws ComputeException.BadArgument if the arguments are not what the kernel takes
   */
  public void launch(Kernel kernel, Grid grid, Argument... arguments) {
    List<Argument> given = List.of(arguments);
    List<DriverResource> used = new ArrayList<>(List.of(this, kernel));
    for (Argument argument : given) {
      if (argument instanceof DeviceBuffer buffer) {
        used.add(buffer);
      }
    }
    Arguments.check(kernel, given);
    give(
        used,
        null,
        driver -> {
          try (Arena arena = Arena.ofConfined()) {
            synchronized (kernel.launching()) {
              driver.launch(rawHandle(), kernel.rawHandle(), grid, Arguments.pack(given, arena));
            }
          }
        });
  }

  /** An event that comes when all commands so far have ended. */
  public Event mark() {
    return session()
        .ask(
            List.of(this),
            driver -> {
              long command = given.get();
              return session().opened(new Event(this, driver.mark(rawHandle()), command));
            });
  }

  /** Holds the commands that follow until an event of another stream of the device has come. */
  public void waitFor(Event event) {
    give(List.of(this, event), null, driver -> driver.waitFor(rawHandle(), event.rawHandle()));
  }

  /** Waits until all commands have ended; throws what went wrong with them. */
  public void synchronise() {
    session()
        .ask(
            List.of(this),
            driver -> {
              finish(driver, given.get());
              return true;
            });
  }

  private interface Command {
    void to(ComputeDriver driver);
  }

  private void give(
      List<? extends DriverResource> used, @Nullable StagingBuffer staging, Command command) {
    session()
        .ask(
            used,
            driver -> {
              long number = given.incrementAndGet();
              if (staging != null) {
                staging.usedBy(this, number);
              }
              command.to(driver);
              return true;
            });
  }

  private static void within(DriverResource buffer, long size, long offset, long bytes) {
    if (offset < 0 || bytes < 0 || offset > size - bytes) {
      throw new ComputeException.BufferTooSmall(
          "%s has no %d bytes from byte %d on".formatted(buffer, bytes, offset));
    }
  }

  /** All commands up to this one have ended. */
  void ended(long command) {
    ended.accumulateAndGet(command, Math::max);
  }

  /** Waits for a command, unless it is known to have ended. */
  void finish(ComputeDriver driver, long command) {
    long all = given.get();
    if (ended.get() < command) {
      driver.synchronise(rawHandle());
      ended(all);
    }
  }

  /**
   * Waits for an event on a thread of its own; false if the context is poisoned, so that it will
   * never come. What is poisoned meanwhile calls {@link #fail} afterwards.
   */
  boolean watch(Event event) {
    synchronized (lock) {
      if (session().poison() != null) {
        return false;
      }
      if (watcher == null) {
        watcher = EventWatcher.start(session());
      }
      watcher.add(event);
      return true;
    }
  }

  /** Fails the events that somebody waits for: the context is poisoned. */
  void fail(Throwable reason) {
    EventWatcher watching = watching();
    if (watching != null) {
      watching.fail(reason);
    }
  }

  private @Nullable EventWatcher watching() {
    synchronized (lock) {
      return watcher;
    }
  }

  /**
   * Waits until nothing is on its way and nobody watches any more.
   *
   * @param sound whether the driver can be asked; from a poisoned one nothing is awaited
   */
  void settle(boolean sound) {
    if (sound) {
      finish(session().driver(), given.get());
    }
    EventWatcher watching = watching();
    if (watching != null) {
      watching.stop(sound);
    }
  }

  @Override
  void release(ComputeDriver driver) {
    settle(true);
    driver.closeStream(rawHandle());
  }

  @Override
  String what() {
    return "A stream";
  }
}
