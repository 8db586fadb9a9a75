package dev.fairlead.device;

import java.util.Locale;

/** An amount of memory, for people to read: {@code 1.5 GiB}. */
public record Bytes(long count) {
  private static final String UNITS = "KMGTPE";
  private static final double KILO = 1_024;

  /** From here on a unit is easier to read than all digits. */
  private static final long LONG_NUMBER = 10_000;

  /** What would be rounded up to a kilo. */
  private static final double ALMOST_KILO = KILO - 0.05;

  public static Bytes of(long count) {
    return new Bytes(count);
  }

  /** As text that differs from the other one's where the amounts do: all digits where it must. */
  public String besides(Bytes other) {
    return count != other.count && toString().equals(other.toString()) ? exactly() : toString();
  }

  private String exactly() {
    return count == 1 ? "1 byte" : count + " bytes";
  }

  @Override
  public String toString() {
    if (count < LONG_NUMBER) {
      return exactly();
    }
    double value = count / KILO;
    int unit = 0;
    while (value >= ALMOST_KILO) {
      value /= KILO;
      unit++;
    }
    String number = String.format(Locale.ROOT, "%.1f", value);
    return "%s %siB"
        .formatted(
            number.endsWith(".0") ? number.substring(0, number.length() - 2) : number,
            UNITS.charAt(unit));
  }
}
