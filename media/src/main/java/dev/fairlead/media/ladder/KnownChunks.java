package dev.fairlead.media.ladder;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * The chunks that there are, in order, while they are reported in any. An empty cell of the grid
 * makes no chunk, so that only the worker knows which come between two. Not for use by two threads
 * at once.
 */
final class KnownChunks {
  private final NavigableSet<Long> known = new TreeSet<>();
  private final List<Long> settled = new ArrayList<>();

  /** Those before which no other can come; grows at its end. */
  List<Long> settled() {
    return Collections.unmodifiableList(settled);
  }

  /** A chunk is reported; false if it was before. */
  boolean add(long chunk) {
    return known.add(chunk);
  }

  /** All chunks before this one were reported; gives those that are settled by that. */
  List<Long> settle(long before) {
    long from = settled.isEmpty() ? Long.MIN_VALUE : settled.getLast() + 1;
    if (before <= from) {
      return List.of();
    }
    List<Long> more = List.copyOf(known.subSet(from, before));
    settled.addAll(more);
    return more;
  }
}
