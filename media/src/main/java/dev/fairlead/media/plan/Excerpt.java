package dev.fairlead.media.plan;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;

/**
 * The part of a source that is wanted, counted from its first frame.
 *
 * @param end where it stops, without the frame that is there; the source's own end if empty
 */
public record Excerpt(Duration start, Optional<Duration> end) {
  private static final Duration LONGEST = Duration.ofDays(3_650);

  public Excerpt {
    check("start", start);
    end.ifPresent(time -> check("end", time));
    if (end.isPresent() && end.get().compareTo(start) <= 0) {
      throw new PlanException(
          "The end, %s s, is not after the start, %s s".formatted(text(end.get()), text(start)));
    }
  }

  public static Excerpt whole() {
    return new Excerpt(Duration.ZERO, Optional.empty());
  }

  private static void check(String what, Duration time) {
    if (time.isNegative() || time.compareTo(LONGEST) > 0) {
      throw new PlanException(
          "The %s is %s s; it can be from 0 to %d days"
              .formatted(what, text(time), LONGEST.toDays()));
    }
  }

  static String text(Duration time) {
    return new BigDecimal(time.getSeconds())
        .add(BigDecimal.valueOf(time.getNano(), 9))
        .stripTrailingZeros()
        .toPlainString();
  }
}
