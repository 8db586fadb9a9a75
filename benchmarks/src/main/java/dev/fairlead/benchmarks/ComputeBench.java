package dev.fairlead.benchmarks;

import dev.fairlead.device.Capability;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Discovery;
import dev.fairlead.dispatch.Dispatcher;
import dev.fairlead.dispatch.Distribution;
import dev.fairlead.outcome.RetryOptions;
import dev.fairlead.policy.Demand;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.PoolOptions;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
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

  /** Frames a device before anything is measured. */
  private static final int WARM_UP = 4;

  /** One device of the distributed run. */
  public record Share(Device device, long frames, double framesPerSecond) {}

  /**
   * What was measured.
   *
   * @param compared how many frames were compared with the reference
   * @param same how many of them were the same, byte for byte
   * @param oneFramesPerSecond one part of the first OpenCL device; not a number without one
   * @param scaling frames per second on two parts, divided by those on one
   * @param schedulerShare the part of the time in which one device had frames and worked on none
   */
  public record Figures(
      List<Share> shares,
      double framesPerSecond,
      long compared,
      long same,
      double oneFramesPerSecond,
      double twoFramesPerSecond,
      double scaling,
      double schedulerShare) {

    /** Whether every frame was the same as the reference. */
    public boolean isVerified() {
      return compared > 0 && same == compared;
    }
  }

  /** The first part: who did what, how fast, and how many frames are as they should be. */
  private record Distributed(
      List<Share> shares, double framesPerSecond, long compared, long same) {}

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
    Distributed distributed = bench.distribute(chosen);
    return opencl.isEmpty()
        ? figures(distributed, new Parts(Double.NaN, Double.NaN, Double.NaN, Double.NaN))
        : figures(distributed, bench.scale(opencl.getFirst().label() + "/2", rounds, progress));
  }

  private static Figures figures(Distributed first, Parts parts) {
    return new Figures(
        first.shares(),
        first.framesPerSecond(),
        first.compared(),
        first.same(),
        parts.one(),
        parts.two(),
        parts.scaling(),
        parts.schedulerShare());
  }

  private Distributed distribute(String terms) throws InterruptedException {
    try (DevicePool pool = open(Discovery.find(terms))) {
      Map<DeviceId, AtomicLong> done = new TreeMap<>();
      pool.devices().forEach(device -> done.put(device.id(), new AtomicLong()));
      Blurring blurring = new Blurring();
      int devices = pool.devices().size();
      distribute(pool, blurring, done, devices * WARM_UP);
      done.values().forEach(each -> each.set(0));
      int total = count * devices;
      long started = System.nanoTime();
      long same = distribute(pool, blurring, done, total);
      double seconds = (System.nanoTime() - started) / 1e9;
      List<Share> shares = new ArrayList<>();
      for (Device device : pool.devices()) {
        long own = done.getOrDefault(device.id(), new AtomicLong()).get();
        shares.add(new Share(device, own, own / seconds));
      }
      return new Distributed(shares, total / seconds, total, same);
    }
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

  /** The second part: one part of a device against two. */
  private record Parts(double one, double two, double scaling, double schedulerShare) {}

  /** Rounds on one part and on two take turns, so that a machine that slows down slows both. */
  private Parts scale(String term, int rounds, Consumer<String> progress)
      throws InterruptedException {
    Discovery two = Discovery.find(term);
    if (two.found().isEmpty()) {
      throw new IllegalStateException(
          "%s was there and is not any more: %s".formatted(term, two.problems()));
    }
    Discovery one = new Discovery(two.found().subList(0, 1), List.of());
    double[] alone = new double[rounds];
    double[] together = new double[rounds];
    double[] idle = new double[rounds];
    double[] ratios = new double[rounds];
    try (DevicePool single = open(one);
        DevicePool both = open(two)) {
      Blurring onOne = new Blurring();
      Blurring onBoth = new Blurring();
      timed(single, onOne, WARM_UP);
      timed(both, onBoth, 2 * WARM_UP);
      for (int round = 0; round < rounds; round++) {
        Timed first = timed(single, onOne, count);
        alone[round] = first.framesPerSecond();
        idle[round] = first.idleShare();
        together[round] = timed(both, onBoth, 2 * count).framesPerSecond();
        ratios[round] = together[round] / alone[round];
        progress.accept(
            String.format(
                Locale.ROOT,
                "Round %d: %.1f frames/s on one part, %.1f on two, scheduler %.2f %%",
                round + 1,
                alone[round],
                together[round],
                100 * idle[round]));
      }
    }
    return new Parts(median(alone), median(together), median(ratios), median(idle));
  }

  private static double median(double[] figures) {
    double[] sorted = figures.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** Blurs frames on all devices and counts who did it; gives how many are the same. */
  private long distribute(
      DevicePool pool, Blurring blurring, Map<DeviceId, AtomicLong> done, int total)
      throws InterruptedException {
    long same = 0;
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
                RetryOptions.once())) {
      while (outcomes.hasNext()) {
        same += outcomes.take().orThrow() ? 1 : 0;
      }
    }
    return same;
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
                RetryOptions.once())) {
      while (outcomes.hasNext()) {
        outcomes.take().orThrow();
      }
    }
    double nanos = System.nanoTime() - started;
    return new Timed(total / (nanos / 1e9), 1 - worked.get() / (nanos * pool.devices().size()));
  }
}
