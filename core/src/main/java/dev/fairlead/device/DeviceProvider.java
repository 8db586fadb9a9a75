package dev.fairlead.device;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A backend: finds devices of its kind and opens contexts on them. Implementations are found by
 * {@link java.util.ServiceLoader}.
 */
public interface DeviceProvider {
  /** The first word of this backend's terms in a selection: {@code cpu} in {@code cpu:4}. */
  String scheme();

  /** Whether a term is for this backend, by its first word: {@code cpu} in {@code cpu:4}. */
  default boolean understands(String word) {
    return word.equals(scheme());
  }

  /** The term that selects one device and no other, as this backend would find it again. */
  default String term(Device device) {
    return device.label();
  }

  /**
   * Looks for devices. A device that is there but cannot be used is a problem with its reason,
   * never an exception: the rest must go on.
   *
   * @param terms what was asked of this backend, such as {@code cpu:4}; empty asks for all it has
   * @throws BadTermException if it does not understand a term
   */
  Discovery discover(List<String> terms);

  /**
   * What else there is to say of a device that this provider found, as it is now, for people to
   * read: names and values in their order, such as a temperature. May block.
   */
  default Map<String, String> details(Device device) {
    return Map.of();
  }

  /**
   * A substitute for the context of a device while none is open, for backends whose contexts take
   * room there: memory, or one of a few places for processes. Empty where a context costs nothing,
   * so that the pool may open it at once.
   */
  default Optional<DeviceContext.Unopened> unopened(Device device) {
    return Optional.empty();
  }

  /**
   * The backend that opens the same devices with {@link Isolation#PROCESS}: this one, where it has
   * no contexts that could be poisoned; empty where there is none.
   */
  default Optional<DeviceProvider> isolated() {
    return Optional.empty();
  }

  /** Opens a context on a device that this provider found; may be called on any thread. */
  DeviceContext open(Device device);
}
