package dev.fairlead.backends.cpu;

import dev.fairlead.device.BadTermException;
import java.math.BigDecimal;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a term such as {@code cpu:4*0.5@aom} or {@code lane:2} asks for.
 *
 * @param lanes how many
 * @param number which one, where the term names a lane; else any will do
 * @param factor how fast the lanes are
 * @param tool what they work with, such as an encoder's name; empty to leave that open
 */
record CpuTerm(int lanes, OptionalInt number, BigDecimal factor, String tool) {
  /** The first word of a term that names a lane. */
  static final String LANE = "lane";

  private static final int MOST_LANES = 1024;
  private static final Pattern GRAMMAR =
      Pattern.compile(
          "(?:cpu(?::(?<lanes>[0-9]{1,9}))?|lane:(?<number>[0-9]{1,9}))"
              + "(?:\\*(?<speed>[0-9]{1,9}(?:\\.[0-9]{1,18})?))?(?:@(?<tool>[a-z0-9-]{1,32}))?");
  private static final Pattern NONE = Pattern.compile("cpu:0+([*@].*)?");

  /** Reads a term; {@code cpu} without a number asks for a lane per processor. */
  static CpuTerm of(String text, int processors) {
    Matcher matcher = GRAMMAR.matcher(text);
    if (!matcher.matches()) {
      throw refusal(text);
    }
    String count = matcher.group("lanes");
    String number = matcher.group("number");
    String speed = matcher.group("speed");
    String tool = matcher.group("tool");
    int lanes = number != null ? 1 : count == null ? processors : Integer.parseInt(count);
    OptionalInt which =
        number == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(number));
    BigDecimal factor = speed == null ? BigDecimal.ONE : new BigDecimal(speed).stripTrailingZeros();
    if (lanes < 1
        || (count != null && lanes > MOST_LANES)
        || which.orElse(0) >= MOST_LANES
        || factor.signum() <= 0
        || factor.compareTo(BigDecimal.ONE) > 0) {
      throw refusal(text);
    }
    return new CpuTerm(lanes, which, factor, tool == null ? "" : tool);
  }

  /** The term for the lane of a number that is like those of this one. */
  String named(int lane) {
    String speed = factor.compareTo(BigDecimal.ONE) < 0 ? "*" + factor.toPlainString() : "";
    return LANE + ":" + lane + speed + (tool.isEmpty() ? "" : "@" + tool);
  }

  private static BadTermException refusal(String text) {
    if (NONE.matcher(text).matches()) {
      return new BadTermException(
          ("\"%s\" would be no lane at all: cpu:N is a number of lanes, such as cpu:1; the lane"
                  + " that is shown as cpu:0 is lane:0")
              .formatted(text));
    }
    return new BadTermException(
        ("\"%s\" is not a choice of CPU lanes; allowed are cpu, cpu:N with N from 1 to %d for that"
                + " many lanes, lane:N for the lane of that number, counted from 0, and any of them"
                + " followed by *F, a speed above 0 and up to 1, such as cpu:1*0.25; @NAME at the end"
                + " says what they work with, such as cpu:1@aom")
            .formatted(text, MOST_LANES));
  }
}
