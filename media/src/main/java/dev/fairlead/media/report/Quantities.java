package dev.fairlead.media.report;

import java.util.Locale;

/** Sizes, times and counts as people read them. */
public final class Quantities {
  private static final int SIXTY = 60;

  private Quantities() {}

  /** {@code 1 chunk}, {@code 2 chunks}. */
  public static String count(long number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  /** Bytes for people: {@code 1.4 MB}. */
  public static String size(long bytes) {
    if (bytes < 1_000) {
      return bytes + " B";
    }
    double value = bytes;
    int unit = -1;
    while (value >= 999.95 && unit < 3) {
      value /= 1_000;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %sB", value, "kMGT".charAt(unit));
  }

  /** Seconds for people: {@code 8.3 s}, {@code 2:05}, {@code 1:02:05}. */
  public static String clock(double seconds) {
    if (seconds < SIXTY) {
      return String.format(Locale.ROOT, "%.1f s", seconds);
    }
    long whole = Math.round(seconds);
    long hours = whole / (SIXTY * SIXTY);
    long minutes = whole / SIXTY % SIXTY;
    return hours > 0
        ? "%d:%02d:%02d".formatted(hours, minutes, whole % SIXTY)
        : "%d:%02d".formatted(minutes, whole % SIXTY);
  }
}
