package dev.fairlead.dispatch;

import dev.fairlead.device.Slot;
import dev.fairlead.range.Range;

/** Work that is done for every index of a range, in parts; each part may be done again. */
@FunctionalInterface
public interface RangeWork {
  void run(Range part, Slot slot) throws Exception;
}
