package dev.fairlead.media.worker;

import java.util.Arrays;
import java.util.Optional;

/**
 * The spans of a source: runs of chunks, each decoded by one pump. Thread-safe.
 *
 * <p>State line of a span: FREE → TAKEN → DONE. The last one has no end, since how many chunks
 * there are is an estimate; so whatever comes belongs to some span.
 */
final class Spans {
  private enum State {
    FREE,
    TAKEN,
    DONE
  }

  /** The chunks of a span, by index, half-open. */
  record Span(int place, long from, long to) {
    boolean isLast() {
      return to == Long.MAX_VALUE;
    }
  }

  private final long first;
  private final int length;
  private final State[] states;

  /** By span, the first chunk that may not be reported yet. */
  private final long[] next;

  // Guarded by this. A lie about a duration makes for a great many spans: none is looked at twice.
  private int firstFree;
  private int firstUndone;

  /**
   * Cuts at multiples of the length, wherever the first chunk is.
   *
   * @param chunks how many there are, about; all from the first on are one span if there are fewer
   */
  Spans(long first, long chunks, int length) {
    this.first = first;
    this.length = length;
    long spans = Math.ceilDiv(chunks, length) - first / length;
    this.states = new State[Math.clamp(spans, 1, Integer.MAX_VALUE / length)];
    this.next = new long[states.length];
    Arrays.fill(states, State.FREE);
    Arrays.setAll(next, place -> span(place).from());
  }

  int count() {
    return states.length;
  }

  private Span span(int place) {
    long cell = first / length + place;
    return new Span(
        place,
        Math.max(first, cell * length),
        place == states.length - 1 ? Long.MAX_VALUE : (cell + 1) * length);
  }

  /** The span of a chunk; that of a chunk before the first is the first. */
  Span of(long chunk) {
    return span(Math.clamp(chunk / length - first / length, 0, states.length - 1));
  }

  /** Takes the first that is free. */
  synchronized Optional<Span> take() {
    while (firstFree < states.length && states[firstFree] != State.FREE) {
      firstFree++;
    }
    return firstFree == states.length ? Optional.empty() : take(span(firstFree));
  }

  /** Takes a span if it is free. */
  synchronized Optional<Span> take(Span span) {
    if (states[span.place()] != State.FREE) {
      return Optional.empty();
    }
    states[span.place()] = State.TAKEN;
    return Optional.of(span);
  }

  /** Takes the span after this one if it is free. */
  synchronized Optional<Span> takeAfter(Span span) {
    return span.isLast() ? Optional.empty() : take(span(span.place() + 1));
  }

  /** All chunks of the span up to this one were reported; answers {@link #before}. */
  synchronized long reported(Span span, long chunk) {
    next[span.place()] = chunk + 1;
    return before();
  }

  /** The span has no further chunk; answers {@link #before}. */
  synchronized long done(Span span) {
    states[span.place()] = State.DONE;
    return before();
  }

  /** The source has ended in this span: those after it that are free have no chunk either. */
  synchronized long ended(Span span) {
    for (int place = span.place() + 1; place < states.length; place++) {
      states[place] = states[place] == State.FREE ? State.DONE : states[place];
    }
    return done(span);
  }

  /** Every chunk before this one was reported, in whatever order. */
  private long before() {
    while (firstUndone < states.length && states[firstUndone] == State.DONE) {
      firstUndone++;
    }
    return firstUndone == states.length ? Long.MAX_VALUE : next[firstUndone];
  }
}
