package dev.fairlead.compute;

import dev.fairlead.compute.driver.ComputeDriver;
import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.compute.driver.NativeHandles;
import dev.fairlead.compute.driver.ProgramSource;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.policy.Priority;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A device that can be computed on, in one generation of it. Work gets it from its slot, {@code
 * slot.context(ComputeContext.class)}, and calls it on the thread that it runs on; a thread that
 * has bound it by {@code DevicePool.context} may call it, too.
 *
 * <p>What is opened here is closed by whoever opened it; what is left goes with the context, which
 * the pool closes. A context that a fault has poisoned refuses everything.
 */
public final class ComputeContext implements DeviceContext {
  private final DriverSession session;
  private final Programs programs;
  private final Map<Thread, Stream> ownStreams = new ConcurrentHashMap<>();

  private ComputeContext(DriverSession session) {
    this.session = session;
    this.programs = new Programs(session);
  }

  /** A context over a driver that was opened for the device; it closes the driver at its end. */
  public static ComputeContext over(Device device, ComputeDriver driver) {
    return new ComputeContext(new DriverSession(device, driver));
  }

  public Device device() {
    return session.device();
  }

  /** The driver's own objects, for other libraries that are used under a lease. */
  public NativeHandles handles() {
    return session.ask(ComputeDriver::handles);
  }

  /**
   * Allocates memory on the device. Where there is none left and other threads have buffers here,
   * it waits a little for them to free some, and tries again.
   *
   * @throws ComputeException.OutOfMemory if there is still too little
   */
  public DeviceBuffer allocate(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("A buffer holds at least one byte: " + bytes);
    }
    return session.opened(new DeviceBuffer(session, session.allocations().allocate(bytes), bytes));
  }

  /** Allocates host memory that the device reads and writes by itself. */
  public StagingBuffer stage(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("A buffer holds at least one byte: " + bytes);
    }
    return session.opened(
        new StagingBuffer(session, session.ask(driver -> driver.pin(bytes)), bytes));
  }

  /**
   * A program, built unless it has been built here before.
   *
   * @param choices the same program in one or more languages: the first that the device runs counts
   * @throws ComputeException.BuildFailed with the compiler's log
   */
  public Program program(ProgramSource... choices) {
    return programs.open(choices);
  }

  /** The current thread's own stream: opened by its first use, closed with the context. */
  public Stream stream() {
    return ownStreams.compute(
        Thread.currentThread(),
        (thread, known) -> known == null || !known.isOpen() ? openStream(Priority.NORMAL) : known);
  }

  /** Opens another stream, for work that overlaps. */
  public Stream openStream(Priority priority) {
    return session.opened(
        new Stream(session, session.ask(driver -> driver.openStream(priority)), priority));
  }

  /** How many buffers, programs, kernels, streams and events are open. */
  public int openResources() {
    return session.openResources();
  }

  @Override
  public void bind() {
    session.bind();
  }

  @Override
  public void bindGuest() {
    session.visit();
  }

  /** Ends a scope of a caller's thread; its own stream goes with the outermost one. */
  @Override
  public void unbind() {
    try {
      if (session.isLastVisit()) {
        Stream own = ownStreams.remove(Thread.currentThread());
        if (own != null) {
          own.close();
        }
      }
    } finally {
      session.leave();
    }
  }

  /** What the driver says is free, or the device's memory less what was allocated here. */
  @Override
  public Optional<Sample> sample() {
    long free =
        session
            .driver()
            .memory()
            .map(ComputeDriver.Memory::freeBytes)
            .orElse(session.device().memoryBytes() - session.allocations().bytes());
    return Optional.of(new Sample(Math.max(0, free), session.driver().foreignStreams()));
  }

  /** Sends bytes to the device, has it copy and compute, and compares what comes back. */
  @Override
  public void probe() {
    Probe.run(this, session.driver().probeProgram().stream().toArray(ProgramSource[]::new));
  }

  @Override
  public void close() {
    session.close(programs::releaseAll);
  }

  @Override
  public String toString() {
    return "Context of " + session.device();
  }
}
