package dev.fairlead.benchmarks;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads figures out of what programs print. */
final class Numbers {
  private Numbers() {}

  /** What the first group of the pattern holds where it is found last; not a number if nowhere. */
  static double last(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    double last = Double.NaN;
    while (matcher.find()) {
      last = Double.parseDouble(matcher.group(1));
    }
    return last;
  }
}
