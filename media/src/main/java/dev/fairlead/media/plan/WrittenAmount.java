package dev.fairlead.media.plan;

import dev.fairlead.media.source.Rational;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes, times and rates as people write them. */
public final class WrittenAmount {
  private static final int FINEST_RATE = 1_000;
  private static final int SIXTY = 60;
  private static final long KILO = 1_024;
  private static final Pattern UNITS =
      Pattern.compile(
          "(?:(?<h>\\d+)\\s*h\\s*)?(?:(?<m>\\d+)\\s*m(?:in)?\\s*)?(?:(?<s>\\d+(?:\\.\\d+)?)\\s*s)?");

  private WrittenAmount() {}

  /** Bytes from {@code 512m}, {@code 1.5g}, {@code 65536}; k, m and g count in 1024s. */
  public static long bytes(String text) {
    String number = text.strip().toLowerCase(Locale.ROOT);
    long unit =
        switch (number.isEmpty() ? ' ' : number.charAt(number.length() - 1)) {
          case 'k' -> KILO;
          case 'm' -> KILO * KILO;
          case 'g' -> KILO * KILO * KILO;
          default -> 1;
        };
    try {
      String digits = unit == 1 ? number : number.substring(0, number.length() - 1);
      long bytes = new BigDecimal(digits).multiply(BigDecimal.valueOf(unit)).longValueExact();
      if (bytes > 0) {
        return bytes;
      }
    } catch (ArithmeticException | NumberFormatException malformed) {
      // Said below.
    }
    throw new IllegalArgumentException(
        "\"%s\" is no amount of memory; write 512m, 2g or a number of bytes".formatted(text));
  }

  /** A time from {@code 90}, {@code 1:30}, {@code 0:01:30.5} or {@code 1m30s}. */
  public static Duration time(String text) {
    Matcher units = UNITS.matcher(text.strip());
    String clock =
        units.matches() && !text.isBlank()
            ? "%s:%s:%s".formatted(part(units, "h"), part(units, "m"), part(units, "s"))
            : text.strip();
    String[] parts = clock.split(":", -1);
    try {
      BigDecimal seconds = BigDecimal.ZERO;
      for (String part : parts) {
        BigDecimal value = new BigDecimal(part);
        if (value.signum() < 0 || parts.length > 3) {
          throw new NumberFormatException(text);
        }
        seconds = seconds.multiply(BigDecimal.valueOf(SIXTY)).add(value);
      }
      return Duration.ofNanos(
          seconds.movePointRight(9).setScale(0, RoundingMode.HALF_UP).longValueExact());
    } catch (ArithmeticException | NumberFormatException malformed) {
      throw new IllegalArgumentException(
          "\"%s\" is no time; write seconds (90.5), or 1:30, or 0:01:30.5, or 1m30s"
              .formatted(text),
          malformed);
    }
  }

  /** A span of time from {@code 30d}, or as {@link #time} reads it: {@code 12h}. */
  public static Duration span(String text) {
    String number = text.strip();
    try {
      return number.endsWith("d")
          ? Duration.ofDays(Integer.parseUnsignedInt(number.substring(0, number.length() - 1)))
          : time(number);
    } catch (IllegalArgumentException malformed) {
      throw new IllegalArgumentException(
          "\"%s\" is no span of time; write 30d or 12h".formatted(text), malformed);
    }
  }

  private static String part(Matcher units, String unit) {
    String part = units.group(unit);
    return part == null ? "0" : part;
  }

  /** Frames a second from {@code 30}, {@code 23.976} or {@code 30000/1001}. */
  public static Rational rate(String text) {
    String[] parts = text.strip().split("/", -1);
    try {
      if (parts.length == 2) {
        return new Rational(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
      }
      BigDecimal scaled = new BigDecimal(parts[0]).multiply(BigDecimal.valueOf(FINEST_RATE));
      if (parts.length == 1) {
        return new Rational(scaled.intValueExact(), FINEST_RATE);
      }
    } catch (ArithmeticException | IllegalArgumentException malformed) {
      // Said below.
    }
    throw new IllegalArgumentException(
        "\"%s\" is no frame rate; write 30, 23.976 or 30000/1001".formatted(text));
  }
}
