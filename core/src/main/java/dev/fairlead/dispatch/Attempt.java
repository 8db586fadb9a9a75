package dev.fairlead.dispatch;

import dev.fairlead.device.Device;

/** A try that failed: where, and with what. */
public record Attempt(Device device, Throwable cause) {
  @Override
  public String toString() {
    return "on " + device + ": " + cause;
  }
}
