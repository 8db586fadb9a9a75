package dev.fairlead.units;

import dev.fairlead.device.Slot;
import java.util.function.BooleanSupplier;

/**
 * What is done for a unit. It may run more than once, after a failure or as a clone, so it must be
 * safe to repeat.
 */
@FunctionalInterface
public interface UnitWork<R> {
  /**
   * Runs on one of the device's own threads.
   *
   * @param cancelled whether the result is wanted no more; the thread is interrupted as well, but
   *     native calls do not notice that
   */
  R run(Slot slot, BooleanSupplier cancelled) throws Exception;
}
