package dev.fairlead.benchmarks;

import dev.fairlead.policy.PlacementPolicy;
import dev.fairlead.policy.Policies;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * The short form of the dispatch benchmarks: each against its opponent, in turn, over several
 * rounds; a figure is the median of its rounds.
 *
 * <p>Run: {@code ./fairlead bench dispatch}
 */
public final class DispatchBench {
  private static final String NOWHERE = "/dev/null";
  private static final List<Integer> DEVICES = List.of(8, 64, 1024);
  private static final List<Integer> THREADS = List.of(1, 2);

  private final int rounds;
  private final Consumer<String> progress;
  private final Map<String, List<Double>> samples = new TreeMap<>();

  /**
   * All figures in nanoseconds per operation, but for {@code bytesPerOp} and ratios.
   *
   * @param submitOverForkJoin the median of the rounds' own ratios
   * @param coldDistributeOverBound makespan over the least possible, by policy
   */
  public record Figures(
      Map<Integer, Double> leaseNs,
      Map<Integer, Double> mutexNs,
      Map<Integer, Double> leaseTimedNs,
      Map<Integer, Double> mutexTimedNs,
      double bytesPerOp,
      double submitNs,
      double forkJoinNs,
      Map<Integer, Double> growth,
      Map<Integer, Double> growthBusy,
      double submitOverForkJoin,
      Map<String, Double> coldDistributeOverBound) {
    /** The worst of all policies. */
    public double worstCold() {
      return coldDistributeOverBound.values().stream().reduce(0.0, Math::max);
    }
  }

  private DispatchBench(int rounds, Consumer<String> progress) {
    this.rounds = rounds;
    this.progress = progress;
  }

  /** Measures everything; takes some minutes. */
  public static Figures run(int rounds, Consumer<String> progress) {
    if (rounds < 1) {
      throw new IllegalArgumentException("rounds is less than one: " + rounds);
    }
    return new DispatchBench(rounds, progress).measure();
  }

  private Figures measure() {
    for (int round = 1; round <= rounds; round++) {
      progress.accept("round %d of %d".formatted(round, rounds));
      for (int threads : THREADS) {
        for (boolean timed : new boolean[] {false, true}) {
          lease("lease", threads, 8, false, timed);
          lease("mutex", threads, 8, false, timed);
        }
      }
      for (int devices : DEVICES) {
        for (boolean busy : new boolean[] {false, true}) {
          lease("lease", 1, devices, busy, false);
        }
      }
      measure("submit", options("SubmitBenchmark.submit", 1));
      measure("forkJoin", options("SubmitBenchmark.forkJoin", 1));
      add("submit over forkJoin", latest("submit") / latest("forkJoin"));
      ColdDistribution.measure(progress).forEach((policy, ratio) -> add("cold " + policy, ratio));
    }
    return new Figures(
        byThreads("lease", false),
        byThreads("mutex", false),
        byThreads("lease", true),
        byThreads("mutex", true),
        median("bytes"),
        median("submit"),
        median("forkJoin"),
        byDevices(false),
        byDevices(true),
        median("submit over forkJoin"),
        byPolicy());
  }

  private Map<String, Double> byPolicy() {
    Map<String, Double> ratios = new TreeMap<>();
    for (PlacementPolicy policy : Policies.all()) {
      ratios.put(policy.name(), median("cold " + policy.name()));
    }
    return ratios;
  }

  private double latest(String key) {
    return samples.getOrDefault(key, List.of(Double.NaN)).getLast();
  }

  private void lease(String method, int threads, int devices, boolean busy, boolean timed) {
    OptionsBuilder options = options("LeaseBenchmark." + method, threads);
    options
        .param("devices", String.valueOf(devices))
        .param("busy", String.valueOf(busy))
        .param("timestamps", String.valueOf(timed));
    measure(key(method, threads, devices, busy, timed), options);
  }

  private static String key(String method, int threads, int devices, boolean busy, boolean timed) {
    return "%s %d %d %b %b".formatted(method, threads, devices, busy, timed);
  }

  /** The JVM's own defaults, a heap that does not grow while it is measured, nothing inherited. */
  private static OptionsBuilder options(String benchmark, int threads) {
    OptionsBuilder options = new OptionsBuilder();
    options
        .include("^" + DispatchBench.class.getPackageName() + "\\." + benchmark + "$")
        .threads(threads)
        .forks(1)
        .warmupIterations(5)
        .warmupTime(TimeValue.milliseconds(500))
        .measurementIterations(4)
        .measurementTime(TimeValue.milliseconds(500))
        .jvmArgs("-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch", "--sun-misc-unsafe-memory-access=allow")
        // What the harness and its forks say must not get between the figures on standard output.
        .output(NOWHERE)
        .addProfiler(GCProfiler.class)
        .verbosity(VerboseMode.SILENT);
    return options;
  }

  private void measure(String key, OptionsBuilder options) {
    try {
      Collection<RunResult> results = new Runner(options.build()).run();
      for (RunResult result : results) {
        double[] iterations =
            result.getBenchmarkResults().stream()
                .flatMap(each -> each.getIterationResults().stream())
                .mapToDouble(each -> each.getPrimaryResult().getScore())
                .sorted()
                .toArray();
        double score = iterations[iterations.length / 2];
        add(key, score);
        progress.accept("  %-28s %10.1f ns".formatted(key, score));
        Result<?> allocated = result.getSecondaryResults().get("gc.alloc.rate.norm");
        if (allocated != null && key.equals(key("lease", 1, 8, false, false))) {
          add("bytes", allocated.getScore());
        }
      }
    } catch (RunnerException failure) {
      throw new IllegalStateException(
          "The benchmark %s did not run: %s".formatted(key, failure.getMessage()), failure);
    }
  }

  private void add(String key, double score) {
    samples.computeIfAbsent(key, any -> new ArrayList<>()).add(score);
  }

  private double median(String key) {
    double[] sorted =
        samples.getOrDefault(key, List.of()).stream()
            .mapToDouble(Double::doubleValue)
            .sorted()
            .toArray();
    if (sorted.length == 0) {
      throw new IllegalStateException("Nothing was measured for " + key);
    }
    return Arrays.stream(sorted, (sorted.length - 1) / 2, sorted.length / 2 + 1)
        .average()
        .orElseThrow();
  }

  private Map<Integer, Double> byThreads(String method, boolean timed) {
    Map<Integer, Double> figures = new TreeMap<>();
    THREADS.forEach(threads -> figures.put(threads, median(key(method, threads, 8, false, timed))));
    return figures;
  }

  private Map<Integer, Double> byDevices(boolean busy) {
    Map<Integer, Double> figures = new TreeMap<>();
    DEVICES.forEach(devices -> figures.put(devices, median(key("lease", 1, devices, busy, false))));
    return figures;
  }
}
