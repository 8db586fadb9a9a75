package dev.fairlead.compute.driver;

import dev.fairlead.device.Fault;
import java.util.function.IntFunction;

/**
 * What the return codes of a driver mean: their names, and whose fault each is.
 *
 * @param driver the driver's name, for messages
 * @param names the name of a code
 * @param faults whose fault a code that is no success is
 */
public record DriverCodes(String driver, IntFunction<String> names, IntFunction<Fault> faults) {
  private static final int SUCCESS = 0;

  /** Throws unless the code is that of success. */
  public void check(String function, int code) {
    if (code != SUCCESS) {
      throw failure(function, code);
    }
  }

  /** The exception for a code, with the driver's words. */
  public ComputeException failure(String function, int code) {
    DriverError error = new DriverError(driver, function, code, names.apply(code));
    Fault fault = faults.apply(code);
    return switch (fault) {
      case OUT_OF_MEMORY -> new ComputeException.OutOfMemory(error.toString(), error);
      case BUSY -> new ComputeException.OverSessionLimit(error);
      case WORK, DEVICE, CONTEXT, LOST -> new ComputeException.DriverFailed(fault, error);
    };
  }
}
