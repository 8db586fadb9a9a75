package dev.fairlead.media.records;

import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/**
 * The id of a job: random, so that none is ever used twice, and in the order of time. The first
 * eleven digits are the microseconds since 1970, the other ten are drawn; all are digits of base 32
 * without letters that look like others.
 */
public record JobId(String value) implements Comparable<JobId> {
  private static final String DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
  private static final int BITS = 5;
  private static final int TIME_DIGITS = 11;
  private static final int RANDOM_DIGITS = 10;
  private static final Pattern FORM =
      Pattern.compile("[%s]{%d}".formatted(DIGITS, TIME_DIGITS + RANDOM_DIGITS));
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final AtomicLong LAST = new AtomicLong();

  public JobId {
    if (!isOne(value)) {
      throw new IllegalArgumentException("Not the id of a job: \"" + value + "\"");
    }
  }

  /** Whether a text is the id of a job. */
  static boolean isOne(String text) {
    return FORM.matcher(text).matches();
  }

  /** A new one; later than all that this process has made before. */
  public static JobId create() {
    long now = System.currentTimeMillis() * 1_000;
    long micros = LAST.accumulateAndGet(now, (last, next) -> Math.max(last + 1, next));
    return new JobId(
        digits(micros, TIME_DIGITS)
            + digits(RANDOM.nextLong() >>> (Long.SIZE - BITS * RANDOM_DIGITS), RANDOM_DIGITS));
  }

  public static JobId parse(String text) {
    return new JobId(text.strip().toLowerCase(Locale.ROOT));
  }

  /** When it was made. */
  public Instant time() {
    long micros = 0;
    for (char digit : value.substring(0, TIME_DIGITS).toCharArray()) {
      micros = (micros << BITS) | DIGITS.indexOf(digit);
    }
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  private static String digits(long value, int count) {
    StringBuilder text = new StringBuilder();
    for (int place = count - 1; place >= 0; place--) {
      text.append(DIGITS.charAt((int) (value >>> (place * BITS)) & (DIGITS.length() - 1)));
    }
    return text.toString();
  }

  @Override
  public int compareTo(JobId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
