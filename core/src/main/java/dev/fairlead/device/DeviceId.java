package dev.fairlead.device;

/**
 * A device's identity, the same however the machine orders its devices today: a UUID or a PCI
 * address where there is one, such as {@code GPU-5f0c…} or {@code pci:0000:3b:00.0}.
 */
public record DeviceId(String value) implements Comparable<DeviceId> {
  public DeviceId {
    if (value.isBlank() || value.chars().anyMatch(c -> c == ',' || Character.isWhitespace(c))) {
      throw new IllegalArgumentException(
          "A device id is not blank and holds no comma or white space: \"" + value + "\"");
    }
  }

  public static DeviceId of(String value) {
    return new DeviceId(value);
  }

  @Override
  public int compareTo(DeviceId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
