package dev.fairlead.outcome;

import dev.fairlead.device.Device;

/** An attempt that failed: where, and with what. */
public record FailedAttempt(Device device, Throwable cause) {
  @Override
  public String toString() {
    return "on " + device + ": " + cause;
  }
}
