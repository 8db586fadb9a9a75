package dev.fairlead.compute;

import dev.fairlead.compute.driver.ComputeDriver;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/**
 * Pinned host memory: copies between it and a device overlap with everything else. Between giving
 * the command and its end, the host leaves the bytes alone. Closing it stops the host's access at
 * once, and waits for copies that are on their way before the memory goes.
 */
public final class StagingBuffer extends DriverResource {
  private final ComputeDriver.Pinned pinned;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;

  /** The last command of each stream that uses it. */
  private final Map<Stream, Long> lastUses = new HashMap<>();

  @SuppressWarnings("restricted") // the driver has said where the memory is, and how long
  StagingBuffer(DriverSession session, ComputeDriver.Pinned pinned, long bytes) {
    super(session, pinned.handle());
    this.pinned = pinned;
    this.memory = MemorySegment.ofAddress(pinned.address()).reinterpret(bytes, arena, null);
  }

  public long bytes() {
    return memory.byteSize();
  }

  /** The memory itself; any thread may use it, until this buffer is closed. */
  public MemorySegment memory() {
    if (!isOpen()) {
      throw session().goneBecauseClosed(this);
    }
    return memory;
  }

  long address() {
    return pinned.address();
  }

  void usedBy(Stream stream, long command) {
    synchronized (lastUses) {
      lastUses.put(stream, command);
    }
  }

  @Override
  void closing() {
    arena.close();
  }

  @Override
  void release(ComputeDriver driver) {
    synchronized (lastUses) {
      lastUses.forEach((stream, command) -> stream.finish(driver, command));
    }
    driver.unpin(pinned);
  }

  @Override
  String what() {
    return "A staging buffer of " + memory.byteSize() + " bytes";
  }
}
