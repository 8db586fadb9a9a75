package dev.fairlead.media.job;

import dev.fairlead.device.Device;
import java.util.HashMap;
import java.util.Map;

/**
 * When devices worked: from the first start to the last end, how busy they were, and how long the
 * same work would have taken at best. Thread-safe.
 *
 * <p>The bound is the fractional optimum: all work, spread over all devices so that they end
 * together. Work is counted in pixels, the speed of a device is what it did per busy second.
 */
final class Clock {
  private final long origin = System.nanoTime();
  private final Map<Device, Double> busySeconds = new HashMap<>();
  private final Map<Device, Double> pixels = new HashMap<>();
  private double first = Double.NaN;
  private double last;

  double seconds() {
    return (System.nanoTime() - origin) / 1e9;
  }

  synchronized void started(double at) {
    first = Double.isNaN(first) ? at : Math.min(first, at);
  }

  synchronized void ended(Device device, double from, double to, double work) {
    last = Math.max(last, to);
    busySeconds.merge(device, to - from, Double::sum);
    pixels.merge(device, work, Double::sum);
  }

  private double span() {
    return Math.max(1e-9, last - first);
  }

  synchronized double busySeconds(Device device) {
    return busySeconds.getOrDefault(device, 0.0);
  }

  /** How much of the time between the first start and the last end the devices were busy. */
  synchronized double busyShare(int devices) {
    double sum = busySeconds.values().stream().mapToDouble(Double::doubleValue).sum();
    return Double.isNaN(first) || devices == 0 ? 0 : sum / (span() * devices);
  }

  synchronized double makespanOverBound() {
    double work = pixels.values().stream().mapToDouble(Double::doubleValue).sum();
    double speed = 0;
    for (Map.Entry<Device, Double> each : pixels.entrySet()) {
      speed += each.getValue() / Math.max(1e-9, busySeconds.getOrDefault(each.getKey(), 0.0));
    }
    return Double.isNaN(first) || work <= 0 ? 1 : span() / (work / speed);
  }
}
