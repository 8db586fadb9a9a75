package dev.fairlead.compute;

import dev.fairlead.compute.driver.ComputeDriver;

/** Memory on a device. Its contents are undefined until something was written there. */
public final class DeviceBuffer extends DriverResource implements Argument {
  private final long bytes;
  private final Thread owner = Thread.currentThread();

  DeviceBuffer(DriverSession session, long handle, long bytes) {
    super(session, handle);
    this.bytes = bytes;
  }

  public long bytes() {
    return bytes;
  }

  /** Whether it is on another device than that of a session, whatever the generation. */
  boolean isElsewhere(DriverSession here) {
    return !session().device().id().equals(here.device().id());
  }

  /** Whether the current thread has allocated it. */
  boolean isMine() {
    return owner.equals(Thread.currentThread());
  }

  @Override
  void closing() {
    session().allocations().closed(bytes);
  }

  @Override
  void release(ComputeDriver driver) {
    driver.free(rawHandle());
  }

  @Override
  String what() {
    return "A buffer of " + bytes + " bytes";
  }
}
