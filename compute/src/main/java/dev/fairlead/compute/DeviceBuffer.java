package dev.fairlead.compute;

import dev.fairlead.compute.driver.ComputeDriver;

/** Memory on a device. Its contents are undefined until something was written there. */
public final class DeviceBuffer extends Resource implements Argument {
  private final long bytes;

  DeviceBuffer(Realm realm, long handle, long bytes) {
    super(realm, handle);
    this.bytes = bytes;
    realm.allocatedBytes().addAndGet(bytes);
  }

  public long bytes() {
    return bytes;
  }

  @Override
  void closing() {
    realm().allocatedBytes().addAndGet(-bytes);
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
