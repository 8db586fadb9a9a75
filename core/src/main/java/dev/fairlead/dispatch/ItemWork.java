package dev.fairlead.dispatch;

import dev.fairlead.device.Slot;

/** Work that is done for each item of a batch. */
@FunctionalInterface
public interface ItemWork<T, R> {
  R run(T item, Slot slot) throws Exception;
}
