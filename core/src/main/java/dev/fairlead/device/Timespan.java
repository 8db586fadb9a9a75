package dev.fairlead.device;

import java.time.Duration;
import java.util.Locale;

/** A length of time, for people to read: {@code 250 ms}, {@code 1.5 s}, {@code 2 min 5 s}. */
public record Timespan(Duration length) {
  private static final double NANOS = 1e9;
  private static final double MILLIS = 1e3;
  private static final int MINUTE = 60;
  private static final int HOUR = 60 * MINUTE;

  /** What would be rounded up to the next unit. */
  private static final double ALMOST_MINUTE = 59.95;

  public static Timespan of(Duration length) {
    return new Timespan(length);
  }

  /** Of a figure in seconds; what is no number is no time. */
  public static Timespan ofSeconds(double seconds) {
    return new Timespan(Duration.ofNanos((long) (seconds * NANOS)));
  }

  @Override
  public String toString() {
    double seconds = length.getSeconds() + length.getNano() / NANOS;
    if (seconds < 0) {
      return "-" + new Timespan(length.negated());
    }
    if (seconds < 1) {
      return number(seconds * MILLIS) + " ms";
    }
    if (seconds < ALMOST_MINUTE) {
      return number(seconds) + " s";
    }
    long whole = Math.round(seconds);
    return whole < HOUR
        ? pair(whole / MINUTE, "min", whole % MINUTE, "s")
        : pair(whole / HOUR, "h", whole % HOUR / MINUTE, "min");
  }

  /** Whole from 10 on, else with one digit behind the point where that is not 0. */
  private static String number(double value) {
    String text = String.format(Locale.ROOT, value < 10 ? "%.1f" : "%.0f", value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }

  private static String pair(long large, String unit, long small, String smallUnit) {
    String first = large + " " + unit;
    return small == 0 ? first : "%s %d %s".formatted(first, small, smallUnit);
  }
}
