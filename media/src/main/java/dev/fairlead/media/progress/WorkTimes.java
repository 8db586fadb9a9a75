package dev.fairlead.media.progress;

import dev.fairlead.device.Device;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.stats.MakespanBound;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * When devices worked: from the first start to the last end, how busy they were, and how long the
 * same work would have taken at best. Thread-safe.
 */
public final class WorkTimes {
  private final long origin = System.nanoTime();
  private final Map<Pair, Done> done = new HashMap<>();
  private double first = Double.NaN;
  private double last;
  private int longestChunk;

  private record Pair(String rung, Device device) {}

  private record Done(long frames, double seconds) {
    Done and(Done other) {
      return new Done(frames + other.frames, seconds + other.seconds);
    }

    double secondsPerFrame() {
      return seconds / frames;
    }
  }

  public double seconds() {
    return (System.nanoTime() - origin) / 1e9;
  }

  public synchronized void started(double at) {
    first = Double.isNaN(first) ? at : Math.min(first, at);
  }

  /** A device has encoded a chunk of a rung. */
  public synchronized void ended(Device device, String rung, TranscodeListener.Encoded chunk) {
    last = Math.max(last, chunk.fromSeconds() + chunk.busySeconds());
    longestChunk = Math.max(longestChunk, chunk.frames());
    done.merge(new Pair(rung, device), new Done(chunk.frames(), chunk.busySeconds()), Done::and);
  }

  private double span() {
    return Math.max(1e-9, last - first);
  }

  /** How much of the time between the first start and the last end the devices were busy. */
  public synchronized double busyShare(int slots) {
    double sum = done.values().stream().mapToDouble(Done::seconds).sum();
    return done.isEmpty() || slots == 0 ? 0 : sum / (span() * slots);
  }

  /**
   * The time from the first start to the last end ÷ the least that the same chunks could have taken
   * on these devices, at what they were seen to cost. Who has not done any of a rung is taken to be
   * as fast at it as its weight says, so that a device that was left idle counts.
   */
  public synchronized double makespanOverBound(List<Device> devices) {
    if (done.isEmpty()) {
      return 1;
    }
    List<String> rungs =
        List.copyOf(new TreeSet<>(done.keySet().stream().map(Pair::rung).toList()));
    List<Device> slots = new ArrayList<>();
    devices.forEach(device -> {
      for (int slot = 0; slot < device.slots(); slot++) {
        slots.add(device);
      }
    });
    double[] chunks = new double[rungs.size()];
    double[][] seconds = new double[rungs.size()][slots.size()];
    for (int rung = 0; rung < chunks.length; rung++) {
      chunks[rung] = (double) frames(rungs.get(rung)) / longestChunk;
      for (int slot = 0; slot < slots.size(); slot++) {
        seconds[rung][slot] = secondsPerFrame(rungs.get(rung), slots.get(slot)) * longestChunk;
      }
    }
    return span() / MakespanBound.of(chunks, seconds);
  }

  private long frames(String rung) {
    return done.entrySet().stream()
        .filter(each -> each.getKey().rung().equals(rung))
        .mapToLong(each -> each.getValue().frames())
        .sum();
  }

  private double secondsPerFrame(String rung, Device device) {
    Done its = done.get(new Pair(rung, device));
    if (its != null) {
      return its.secondsPerFrame();
    }
    double ofWeightOne =
        done.entrySet().stream()
            .filter(each -> each.getKey().rung().equals(rung))
            .mapToDouble(
                each -> each.getValue().secondsPerFrame() * each.getKey().device().weight())
            .average()
            .orElseThrow();
    return ofWeightOne / device.weight();
  }
}
