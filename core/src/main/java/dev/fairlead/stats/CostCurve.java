package dev.fairlead.stats;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/**
 * What one kind of work costs on one device as a function of its size: a fixed part (start-up, the
 * first transfer) and a part in proportion to size. Thread-safe; predictions read no lock.
 *
 * <p>It is a least squares line through decayed samples, each counting {@link #MEMORY} of the one
 * after it. As long as sizes hardly vary, or where the line would cost less than nothing somewhere,
 * it is the quotient of all seconds and all sizes. It counts as known after {@link
 * CostModel#SAMPLES_TO_TRUST} samples.
 */
public final class CostCurve {
  private static final double MEMORY = 0.95;

  /** Sizes vary if their variance is more than this part of their squared mean. */
  private static final double VARIES = 0.01;

  private static final int TO_FIT = 6;
  private static final int FIELDS = 7;

  /** Seconds for a size: {@code fixed + perSize · size}; both NaN while not known. */
  private record Line(double fixed, double perSize, double ratio, double noise) {
    static final Line UNKNOWN = new Line(Double.NaN, Double.NaN, Double.NaN, Double.NaN);
  }

  // Guarded by this.
  private double weight;
  private double sizes;
  private double seconds;
  private double sizesSquared;
  private double products;
  private double secondsSquared;
  private long samples;

  private final AtomicReference<Line> line = new AtomicReference<>(Line.UNKNOWN);

  CostCurve() {}

  /** Learns from one item; figures that are not positive and finite are ignored. */
  public synchronized void record(double size, double took) {
    if (!(took > 0) || !(size > 0) || Double.isInfinite(took) || Double.isInfinite(size)) {
      return;
    }
    weight = weight * MEMORY + 1;
    sizes = sizes * MEMORY + size;
    seconds = seconds * MEMORY + took;
    sizesSquared = sizesSquared * MEMORY + size * size;
    products = products * MEMORY + size * took;
    secondsSquared = secondsSquared * MEMORY + took * took;
    samples++;
    line.set(fitted());
  }

  private Line fitted() {
    if (samples < CostModel.SAMPLES_TO_TRUST) {
      return Line.UNKNOWN;
    }
    double ratio = seconds / sizes;
    double fixed = 0;
    double perSize = ratio;
    double spread = sizesSquared - sizes * sizes / weight;
    if (samples >= TO_FIT && spread > VARIES * sizes * sizes / weight) {
      double slope = (products - sizes * seconds / weight) / spread;
      double level = (seconds - slope * sizes) / weight;
      if (slope >= 0 && level >= 0) {
        fixed = level;
        perSize = slope;
      }
    }
    double left =
        secondsSquared
            - 2 * fixed * seconds
            - 2 * perSize * products
            + fixed * fixed * weight
            + 2 * fixed * perSize * sizes
            + perSize * perSize * sizesSquared;
    double noise = Math.sqrt(Math.max(0, left / weight)) / (seconds / weight);
    return new Line(fixed, perSize, ratio, noise);
  }

  /** Predicted seconds; NaN while not known. */
  public double seconds(double size) {
    Line now = line.get();
    return now.fixed + now.perSize * size;
  }

  /** Seconds per unit of size over all that was seen; NaN while not known. */
  public double perSize() {
    return line.get().ratio;
  }

  /** The part that does not depend on size; NaN while not known. */
  public double fixedSeconds() {
    return line.get().fixed;
  }

  /** How far single items lie from the prediction, as a part of their mean; NaN if not known. */
  public double noise() {
    return line.get().noise;
  }

  public synchronized long samples() {
    return samples;
  }

  /** From 0, not known, to 1: one part in 1 + the relative error of the prediction. */
  public synchronized double confidence() {
    return Double.isNaN(noise()) ? 0 : 1 / (1 + noise() / Math.sqrt(weight));
  }

  synchronized String toFields() {
    return Arrays.stream(
            new double[] {seconds, sizes, samples, weight, sizesSquared, products, secondsSquared})
        .mapToObj(Double::toString)
        .collect(Collectors.joining("\t"));
  }

  /** Reads what {@link #toFields} wrote, from {@code from} on. */
  static CostCurve of(String[] fields, int from) {
    if (fields.length != from + FIELDS) {
      throw new IllegalArgumentException(
          fields.length + " fields where " + (from + FIELDS) + " belong");
    }
    double[] figures = new double[FIELDS];
    for (int i = 0; i < FIELDS; i++) {
      figures[i] = Double.parseDouble(fields[from + i]);
      if (!(figures[i] > 0 && figures[i] < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException("figures that are not positive");
      }
    }
    CostCurve curve = new CostCurve();
    synchronized (curve) {
      curve.seconds = figures[0];
      curve.sizes = figures[1];
      curve.samples = Math.max(1, Math.round(figures[2]));
      curve.weight = figures[3];
      curve.sizesSquared = figures[4];
      curve.products = figures[5];
      curve.secondsSquared = figures[6];
      curve.line.set(curve.fitted());
    }
    return curve;
  }
}
