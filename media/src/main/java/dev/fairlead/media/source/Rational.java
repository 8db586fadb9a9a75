package dev.fairlead.media.source;

/** A fraction, as media files use them for time bases, rates and aspects. */
public record Rational(int num, int den) {
  public Rational {
    if (den <= 0) {
      throw new IllegalArgumentException("The denominator is not positive: " + num + "/" + den);
    }
  }

  public double value() {
    return (double) num / den;
  }

  @Override
  public String toString() {
    return num + "/" + den;
  }
}
