package dev.fairlead.dispatch;

import dev.fairlead.device.Device;
import java.util.List;
import java.util.stream.Stream;

/** A try that failed: where, and with what. */
public record Attempt(Device device, Throwable cause) {
  /** A list of attempts, and one more. */
  static List<Attempt> after(List<Attempt> earlier, Device device, Throwable cause) {
    return Stream.concat(earlier.stream(), Stream.of(new Attempt(device, cause))).toList();
  }

  @Override
  public String toString() {
    return "on " + device + ": " + cause;
  }
}
