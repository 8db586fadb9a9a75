package dev.fairlead.device;

import org.jspecify.annotations.Nullable;

/** A failure that names its {@link Fault}; backends throw it, or subclasses with driver codes. */
public class DeviceException extends RuntimeException {
  private final Fault fault;

  public DeviceException(Fault fault, String message) {
    this(fault, message, null);
  }

  public DeviceException(Fault fault, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.fault = fault;
  }

  public Fault fault() {
    return fault;
  }
}
