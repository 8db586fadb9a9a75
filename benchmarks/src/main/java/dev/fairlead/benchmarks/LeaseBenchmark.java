package dev.fairlead.benchmarks;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.lease.Lease;
import dev.fairlead.policy.Demand;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.PoolOptions;
import dev.fairlead.stats.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Choose, reserve and release over a number of devices: the production pool against a mutex per
 * device.
 *
 * <p>Run: {@code ./fairlead bench dispatch}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LeaseBenchmark {
  private static final int SLOTS = 4;

  @Param({"8"})
  int devices;

  /** Whether each lease reads the clock twice, for latency and busy time. */
  @Param({"false", "true"})
  boolean timestamps;

  /** Whether every device has a lease already, so that none is idle. */
  @Param({"false"})
  boolean busy;

  private final List<Lease> held = new ArrayList<>();
  private DevicePool pool;
  private MutexPool mutexes;
  private Demand demand;

  /** For the harness. */
  @SuppressWarnings("NullAway") // filled by open()
  public LeaseBenchmark() {}

  @Setup
  public void open() {
    List<Device> all =
        IntStream.range(0, devices)
            .mapToObj(ordinal -> Device.of(DeviceKind.SIMULATED, ordinal).withSlots(SLOTS))
            .toList();
    Ticker ticker = timestamps ? Ticker.system() : Ticker.frozen();
    pool = DevicePool.of(all, PoolOptions.usual().withTicker(ticker));
    mutexes = new MutexPool(all, ticker);
    demand = Demand.any();
    if (busy) {
      for (Device device : all) {
        held.add(pool.tryLease(demand.onlyOn(device.id())).orElseThrow());
        mutexes.claim(demand.onlyOn(device.id()));
      }
    }
  }

  @TearDown
  public void close() {
    held.forEach(Lease::close);
    pool.close();
  }

  @Benchmark
  public void lease() {
    pool.tryLease(demand).orElseThrow().succeed();
  }

  @Benchmark
  public void mutex() {
    mutexes.complete(Objects.requireNonNull(mutexes.claim(demand)));
  }
}
