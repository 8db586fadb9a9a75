package dev.fairlead.cuda;

import dev.fairlead.compute.driver.DriverError;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The errors for which contexts were reset, by device, until one has ended well since. Whether a
 * reset is enough is known only afterwards: where the next context meets the same error before
 * anything has ended well in it, the process has to be a new one.
 */
final class CudaResets {
  private final Map<String, DriverError> errors = new ConcurrentHashMap<>();

  void because(CudaDevice device, DriverError error) {
    errors.put(device.uuid(), error);
  }

  void forget(CudaDevice device) {
    errors.remove(device.uuid());
  }

  /** The error that the last context of a device was reset for. */
  Optional<DriverError> last(CudaDevice device) {
    return Optional.ofNullable(errors.get(device.uuid()));
  }
}
