package dev.fairlead.policy;

import dev.fairlead.device.Device;
import dev.fairlead.stats.CostCurve;
import dev.fairlead.stats.CostModel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Predicted seconds of work on each device: what the cost model has learned where it has, else what
 * the device's weight suggests, on the scale of those that are learned. Not thread-safe.
 */
public final class Forecast {
  /**
   * How a kind of work is predicted on each device; {@code learned} if any of them was measured.
   */
  private static final class Costs {
    private final CostCurve[] curves;
    private final double[] perSize;
    private final boolean learned;

    /** Work of a kind is mostly of one size. */
    private double latestSize = Double.NaN;

    private double latestMean;

    Costs(CostCurve[] curves, double[] perSize, boolean learned) {
      this.curves = curves;
      this.perSize = perSize;
      this.learned = learned;
    }

    /** The mean over all devices of how often they do such work in a second. */
    double meanSpeed(double size) {
      if (size != latestSize) {
        double sum = 0;
        for (int device = 0; device < curves.length; device++) {
          sum += 1 / seconds(device, size);
        }
        latestSize = size;
        latestMean = sum / curves.length;
      }
      return latestMean;
    }

    double seconds(int device, double size) {
      double learnt = curves[device].seconds(size);
      return Double.isNaN(learnt) ? size * perSize[device] : learnt;
    }
  }

  private final CostModel model;
  private final List<Device> devices;
  private final Map<String, Costs> kinds = new HashMap<>();

  /** A planner asks for the same kind many times in a row. */
  private String latestKind = "";

  private @Nullable Costs latest;

  /**
   * A forecast for a list that may grow; what is new in it counts from the next {@link #forget} on.
   */
  public Forecast(CostModel model, List<Device> devices) {
    this.model = model;
    this.devices = devices;
  }

  /** Forgets what was read from the model, so that it is read again. */
  public void forget() {
    kinds.clear();
    latest = null;
  }

  public double seconds(Work work, int device) {
    return of(work.kind()).seconds(device, work.size());
  }

  /** How fast a device does such work against the mean of all devices. */
  public double relativeSpeed(Work work, int device) {
    Costs costs = of(work.kind());
    return 1 / costs.seconds(device, work.size()) / costs.meanSpeed(work.size());
  }

  /** Whether the seconds are seconds, not only weights. */
  public boolean isLearned(Work work) {
    return of(work.kind()).learned;
  }

  private Costs of(String kind) {
    Costs known = latest;
    if (known == null || !kind.equals(latestKind)) {
      known = kinds.get(kind);
      if (known == null) {
        known = read(kind);
        kinds.put(kind, known);
      }
      latest = known;
      latestKind = kind;
    }
    return known;
  }

  private Costs read(String kind) {
    int count = devices.size();
    CostCurve[] curves = new CostCurve[count];
    double[] perSize = new double[count];
    double scales = 0;
    int learned = 0;
    for (int index = 0; index < count; index++) {
      Device device = devices.get(index);
      curves[index] = model.curve(device.id(), kind);
      double typical = kind.isEmpty() ? Double.NaN : curves[index].perSize();
      if (!Double.isNaN(typical)) {
        scales += typical * device.weight();
        learned++;
      }
    }
    double scale = learned == 0 ? 1 : scales / learned;
    for (int index = 0; index < count; index++) {
      perSize[index] = scale / devices.get(index).weight();
    }
    return new Costs(curves, perSize, learned > 0);
  }
}
