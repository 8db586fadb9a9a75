package dev.fairlead.media.plan;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Bits a second, as people write them: {@code 800k}, {@code 2.5M}, {@code 640000}. */
final class BitRate {
  private static final Pattern FORM = Pattern.compile("(\\d{1,12}(?:\\.\\d{1,6})?)([kKmM]?)");
  private static final long LEAST = 1_000;
  private static final long MOST = 10_000_000_000L;

  private BitRate() {}

  /**
   * Reads one.
   *
   * @param what whose it is, for the message
   */
  static long parse(String text, String what) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          what + " is \"" + text + "\"; write bits a second, such as 800k, 2.5M or 640000");
    }
    int zeros =
        switch (matcher.group(2)) {
          case "k", "K" -> 3;
          case "m", "M" -> 6;
          default -> 0;
        };
    BigDecimal bits = new BigDecimal(matcher.group(1)).scaleByPowerOfTen(zeros);
    if (bits.compareTo(BigDecimal.valueOf(LEAST)) < 0
        || bits.compareTo(BigDecimal.valueOf(MOST)) > 0) {
      throw new IllegalArgumentException(
          what + " is \"" + text + "\"; it can be from 1k to 10000M bits a second");
    }
    return bits.longValue();
  }
}
