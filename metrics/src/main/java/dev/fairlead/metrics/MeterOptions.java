package dev.fairlead.metrics;

import io.micrometer.core.instrument.Tags;
import java.util.regex.Pattern;

/**
 * Which meters a pool has, and how they are named.
 *
 * @param completed what finished work is counted as: the last part of a meter's name
 * @param tags that every meter has, besides those of its device
 * @param timers whether each piece of work is timed, see {@link #withTimers}
 */
public record MeterOptions(String completed, Tags tags, boolean timers) {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9.]*");

  public MeterOptions {
    if (!NAME.matcher(completed).matches()) {
      throw new IllegalArgumentException(
          "A part of a meter's name is written in lower-case letters, digits and dots, such as"
              + " chunks: \"%s\"".formatted(completed));
    }
  }

  /** Finished work is {@code fairlead.device.completed}; no further tags, no timers. */
  public static MeterOptions usual() {
    return new MeterOptions("completed", Tags.empty(), false);
  }

  /** Counts finished work by the word that a program has for it, such as {@code chunks}. */
  public MeterOptions countingAs(String word) {
    return new MeterOptions(word, tags, timers);
  }

  /** Tags every meter, say with the name of the pool where a program has several. */
  public MeterOptions withTags(String... keysAndValues) {
    return new MeterOptions(completed, tags.and(keysAndValues), timers);
  }

  /**
   * Times each piece of work by its kind, for histograms. The pool then tells of every lease, which
   * costs a lease more than the lease itself: for work of milliseconds, not of nanoseconds.
   */
  public MeterOptions withTimers() {
    return new MeterOptions(completed, tags, true);
  }
}
