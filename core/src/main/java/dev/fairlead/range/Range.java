package dev.fairlead.range;

/**
 * A half-open run of indices, from {@code start} up to but not including {@code end}.
 *
 * <p>Indices are never negative, so a length always fits in a {@code long}.
 */
public record Range(long start, long end) {

  /** The two parts of a range that was cut in one place; either may be empty. */
  public record Halves(Range front, Range back) {}

  public Range {
    if (start < 0) {
      throw new IllegalArgumentException("start is negative: " + start);
    }
    if (end < start) {
      throw new IllegalArgumentException("end is before start: [" + start + ", " + end + ")");
    }
  }

  public long length() {
    return end - start;
  }

  public boolean isEmpty() {
    return start == end;
  }

  public boolean contains(long index) {
    return start <= index && index < end;
  }

  /** Cuts before {@code index}, which becomes the first index of the back. */
  public Halves splitAt(long index) {
    if (index < start || index > end) {
      throw new IllegalArgumentException("cannot split " + this + " at " + index);
    }
    return new Halves(new Range(start, index), new Range(index, end));
  }

  /**
   * Cuts in the middle; of an odd length the front has one more, so that a range of one stays whole
   * in the front.
   */
  public Halves halves() {
    return splitAt(end - length() / 2);
  }

  @Override
  public String toString() {
    return "[" + start + ", " + end + ")";
  }
}
