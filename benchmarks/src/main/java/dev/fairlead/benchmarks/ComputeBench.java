package dev.fairlead.benchmarks;

import dev.fairlead.device.Capability;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Discovery;
import dev.fairlead.dispatch.Dispatcher;
import dev.fairlead.dispatch.Distribution;
import dev.fairlead.dispatch.Terms;
import dev.fairlead.policy.Demand;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.PoolOptions;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Measures frames that are blurred by all OpenCL devices and CPU lanes at once, how two parts of a
 * device do against one of them, and what the scheduler takes of the time. Every frame of the first
 * part is compared with a plain Java loop, byte by byte.
 *
 * <p>Run it with {@code ./fairlead bench compute}.
 */
public final class ComputeBench {
  private static final int DISTINCT = 4;
  private static final long SEED = 7919;

  /** One device of the distributed run. */
  public record Share(Device device, long frames, double framesPerSecond) {}

  /**
   * What was measured.
   *
   * @param verified how many frames were compared with the reference, all of them the same
   * @param oneFramesPerSecond one part of the first OpenCL device; not a number without one
   * @param scaling frames per second on two parts, divided by those on one
   * @param schedulerShare the part of the time in which one device had frames and worked on none
   */
  public record Figures(
      List<Share> shares,
      double framesPerSecond,
      long verified,
      double oneFramesPerSecond,
      double twoFramesPerSecond,
      double scaling,
      double schedulerShare) {}

  private record Timed(double framesPerSecond, double idleShare) {}

  private final List<byte[]> frames;
  private final List<byte[]> references;
  private final int count;

  private ComputeBench(int count) {
    this.count = count;
    Random random = new Random(SEED);
    frames = new ArrayList<>();
    references = new ArrayList<>();
    byte[] between = new byte[Blur.BYTES];
    for (int i = 0; i < DISTINCT; i++) {
      byte[] frame = new byte[Blur.BYTES];
      random.nextBytes(frame);
      byte[] blurred = new byte[Blur.BYTES];
      Blur.blur(frame, between, blurred);
      frames.add(frame);
      references.add(blurred);
    }
  }

  /**
   * Measures.
   *
   * @param terms the devices of the distributed run; empty for all OpenCL devices, those on the
   *     processor in two parts, and the CPU lanes
   * @param count frames in a round
   */
  public static Figures run(String terms, int rounds, int count, Consumer<String> progress)
      throws InterruptedException {
    ComputeBench bench = new ComputeBench(count);
    List<Device> opencl = Discovery.find("opencl").devices();
    String chosen = terms.isEmpty() ? usual(opencl) : terms;
    progress.accept("Distributed over " + chosen);
    Map<DeviceId, AtomicLong> done = new TreeMap<>();
    List<Share> shares = new ArrayList<>();
    double total;
    long verified;
    try (DevicePool pool = open(Discovery.find(chosen))) {
      pool.devices().forEach(device -> done.put(device.id(), new AtomicLong()));
      Blurring blurring = new Blurring();
      bench.distribute(pool, blurring, done, pool.devices().size() * 4); // warms up
      done.values().forEach(each -> each.set(0));
      long started = System.nanoTime();
      verified = bench.distribute(pool, blurring, done, count * pool.devices().size());
      double seconds = (System.nanoTime() - started) / 1e9;
      total = verified / seconds;
      for (Device device : pool.devices()) {
        long own = done.getOrDefault(device.id(), new AtomicLong()).get();
        shares.add(new Share(device, own, own / seconds));
      }
    }
    String part = opencl.isEmpty() ? "" : opencl.getFirst().label() + "/2";
    if (part.isEmpty()) {
      return new Figures(shares, total, verified, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
    }
    return bench.scale(part, rounds, progress, shares, total, verified);
  }

  private static String usual(List<Device> opencl) {
    List<String> terms = new ArrayList<>();
    for (Device device : opencl) {
      boolean host = device.features().capabilities().contains(Capability.HOST_CORES);
      terms.add(device.label() + (host ? "/2" : ""));
    }
    terms.add(DeviceKind.CPU.toString());
    return String.join(",", terms);
  }

  private static DevicePool open(Discovery discovery) {
    return DevicePool.open(discovery, PoolOptions.usual());
  }

  /** Rounds on one part and on two take turns, so that a machine that slows down slows both. */
  private Figures scale(
      String term,
      int rounds,
      Consumer<String> progress,
      List<Share> shares,
      double total,
      long verified)
      throws InterruptedException {
    Discovery two = Discovery.find(term);
    Discovery one = new Discovery(two.found().subList(0, 1), List.of());
    double[] alone = new double[rounds];
    double[] together = new double[rounds];
    double[] idle = new double[rounds];
    double[] ratios = new double[rounds];
    try (DevicePool single = open(one);
        DevicePool both = open(two)) {
      Blurring onOne = new Blurring();
      Blurring onBoth = new Blurring();
      timed(single, onOne, 4);
      timed(both, onBoth, 8);
      for (int round = 0; round < rounds; round++) {
        Timed first = timed(single, onOne, count);
        alone[round] = first.framesPerSecond();
        idle[round] = first.idleShare();
        together[round] = timed(both, onBoth, 2 * count).framesPerSecond();
        ratios[round] = together[round] / alone[round];
        progress.accept(
            "Round %d: %.1f frames/s on one part, %.1f on two, scheduler %.2f %%"
                .formatted(round + 1, alone[round], together[round], 100 * idle[round]));
      }
    }
    return new Figures(
        shares, total, verified, median(alone), median(together), median(ratios), median(idle));
  }

  private static double median(double[] figures) {
    double[] sorted = figures.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** Blurs frames on all devices, compares each, and counts who did it. */
  private long distribute(
      DevicePool pool, Blurring blurring, Map<DeviceId, AtomicLong> done, int total)
      throws InterruptedException {
    long verified = 0;
    try (Dispatcher dispatcher = Dispatcher.on(pool);
        Distribution<Boolean> outcomes =
            dispatcher.stream(
                IntStream.range(0, total).iterator(),
                2 * pool.devices().size(),
                Demand.any(),
                (number, slot) -> {
                  MemorySegment blurred = blurring.blur(frames.get(number % DISTINCT), slot);
                  MemorySegment reference =
                      MemorySegment.ofArray(references.get(number % DISTINCT));
                  AtomicLong own = done.get(slot.device().id());
                  if (own != null) {
                    own.incrementAndGet();
                  }
                  return reference.mismatch(blurred) < 0;
                },
                Terms.once())) {
      while (outcomes.hasNext()) {
        if (!outcomes.take().orThrow()) {
          throw new IllegalStateException("A blurred frame differs from the plain Java loop's");
        }
        verified++;
      }
    }
    return verified;
  }

  private Timed timed(DevicePool pool, Blurring blurring, int total) throws InterruptedException {
    AtomicLong worked = new AtomicLong();
    long started = System.nanoTime();
    try (Dispatcher dispatcher = Dispatcher.on(pool);
        Distribution<Boolean> outcomes =
            dispatcher.stream(
                IntStream.range(0, total).iterator(),
                2 * pool.devices().size(),
                Demand.any(),
                (number, slot) -> {
                  long began = System.nanoTime();
                  blurring.blur(frames.get(number % DISTINCT), slot);
                  worked.addAndGet(System.nanoTime() - began);
                  return true;
                },
                Terms.once())) {
      while (outcomes.hasNext()) {
        outcomes.take().orThrow();
      }
    }
    double nanos = System.nanoTime() - started;
    return new Timed(total / (nanos / 1e9), 1 - worked.get() / (nanos * pool.devices().size()));
  }
}
