package dev.fairlead.backends.cpu;

import dev.fairlead.device.BadTermException;
import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a term such as {@code cpu:4*0.5@aom} asks for.
 *
 * @param factor how fast the lanes are
 * @param tool what they work with, such as an encoder's name; empty to leave that open
 */
record CpuTerm(int lanes, BigDecimal factor, String tool) {
  private static final int MOST_LANES = 1024;
  private static final Pattern GRAMMAR =
      Pattern.compile(
          "cpu(?::([0-9]{1,9}))?(?:\\*([0-9]{1,9}(?:\\.[0-9]{1,18})?))?(?:@([a-z0-9-]{1,32}))?");

  /** Reads a term; one without a number asks for a lane per processor. */
  static CpuTerm of(String text, int processors) {
    Matcher matcher = GRAMMAR.matcher(text);
    if (!matcher.matches()) {
      throw refusal(text);
    }
    String number = matcher.group(1);
    String speed = matcher.group(2);
    int lanes = number == null ? processors : Integer.parseInt(number);
    BigDecimal factor = speed == null ? BigDecimal.ONE : new BigDecimal(speed).stripTrailingZeros();
    if (lanes < 1
        || (number != null && lanes > MOST_LANES)
        || factor.signum() <= 0
        || factor.compareTo(BigDecimal.ONE) > 0) {
      throw refusal(text);
    }
    return new CpuTerm(lanes, factor, matcher.group(3) == null ? "" : matcher.group(3));
  }

  private static BadTermException refusal(String text) {
    return new BadTermException(
        ("\"%s\" is not a choice of CPU lanes; allowed are cpu, cpu:N with N from 1 to %s, and"
                + " either followed by *F, a speed above 0 and up to 1, such as cpu:1*0.25;"
                + " @NAME at the end says what they work with, such as cpu:1@aom")
            .formatted(text, MOST_LANES));
  }
}
