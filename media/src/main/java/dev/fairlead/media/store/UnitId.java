package dev.fairlead.media.store;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a unit of work, the same in every run: a chunk of a rung, or a piece of an audio
 * track. Written {@code 720p/000012}.
 */
public record UnitId(String rung, long chunk) implements Comparable<UnitId> {
  private static final Pattern RUNG = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final Pattern FORM = Pattern.compile("([^/]+)/(\\d{6,18})");
  private static final Comparator<UnitId> ORDER =
      Comparator.comparing(UnitId::rung).thenComparingLong(UnitId::chunk);

  public UnitId {
    if (!RUNG.matcher(rung).matches()) {
      throw new IllegalArgumentException("Not the name of a rung: \"" + rung + "\"");
    }
    if (chunk < 0) {
      throw new IllegalArgumentException("Not a chunk of " + rung + ": " + chunk);
    }
  }

  /** Reads what {@link #toString} wrote. */
  public static UnitId parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("Not a unit: \"" + text + "\"; write 720p/000012");
    }
    return new UnitId(matcher.group(1), Long.parseLong(matcher.group(2)));
  }

  @Override
  public int compareTo(UnitId other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return "%s/%06d".formatted(rung, chunk);
  }
}
