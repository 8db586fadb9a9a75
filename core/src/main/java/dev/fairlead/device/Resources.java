package dev.fairlead.device;

import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * A vector of countable things: running slots, bytes of memory, and named ones such as encoder
 * sessions. A device has a capacity of them, a demand asks for some, a lease holds them.
 */
public record Resources(int slots, long memoryBytes, Map<String, Long> named) {
  private static final Resources ONE_SLOT = new Resources(1, 0, Map.of());

  public Resources {
    if (slots < 1 || slots > Short.MAX_VALUE) {
      throw new IllegalArgumentException(
          "slots is not between one and %d: %d".formatted(Short.MAX_VALUE, slots));
    }
    if (memoryBytes < 0) {
      throw new IllegalArgumentException("memoryBytes is negative: " + memoryBytes);
    }
    named.forEach((name, amount) -> {
      if (amount < 0) {
        throw new IllegalArgumentException(name + " is negative: " + amount);
      }
    });
    named = Map.copyOf(named);
  }

  public static Resources oneSlot() {
    return ONE_SLOT;
  }

  public Resources withSlots(int count) {
    return new Resources(count, memoryBytes, named);
  }

  public Resources withMemory(long bytes) {
    return new Resources(slots, bytes, named);
  }

  public Resources with(String name, long amount) {
    var more = new TreeMap<>(named);
    more.put(name, amount);
    return new Resources(slots, memoryBytes, more);
  }

  @Override
  public String toString() {
    StringJoiner text = new StringJoiner(", ");
    text.add(slots == 1 ? "1 slot" : slots + " slots");
    if (memoryBytes > 0) {
      text.add(Bytes.of(memoryBytes).toString());
    }
    named.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> text.add(entry.getValue() + " " + entry.getKey()));
    return text.toString();
  }
}
