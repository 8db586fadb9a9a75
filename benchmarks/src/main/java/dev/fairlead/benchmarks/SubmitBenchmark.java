package dev.fairlead.benchmarks;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.dispatch.Dispatcher;
import dev.fairlead.dispatch.Task;
import dev.fairlead.policy.Demand;
import dev.fairlead.pool.DevicePool;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Batches of empty tasks, from submission to the last end: placed on two devices and timed, against
 * the same batches on a plain ForkJoinPool with two threads, which places nothing and keeps no
 * books.
 *
 * <p>Run: {@code ./fairlead bench dispatch}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SubmitBenchmark {
  private static final int BATCH = 50_000;

  private DevicePool pool;
  private Dispatcher dispatcher;
  private ForkJoinPool forkJoin;
  private Demand demand;
  private Task<?>[] tasks;
  private ForkJoinTask<?>[] joins;

  /** For the harness. */
  @SuppressWarnings("NullAway") // filled by open()
  public SubmitBenchmark() {}

  @Setup
  public void open() {
    pool =
        DevicePool.of(
            List.of(Device.of(DeviceKind.SIMULATED, 0), Device.of(DeviceKind.SIMULATED, 1)));
    dispatcher = Dispatcher.on(pool);
    forkJoin = new ForkJoinPool(2);
    demand = Demand.any();
    tasks = new Task<?>[BATCH];
    joins = new ForkJoinTask<?>[BATCH];
  }

  @TearDown
  public void close() {
    dispatcher.close();
    pool.close();
    forkJoin.close();
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void submit() throws InterruptedException {
    for (int i = 0; i < BATCH; i++) {
      tasks[i] = dispatcher.submit(demand, slot -> slot);
    }
    for (Task<?> task : tasks) {
      task.await();
    }
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void forkJoin() {
    for (int i = 0; i < BATCH; i++) {
      joins[i] = forkJoin.submit(() -> {});
    }
    for (ForkJoinTask<?> join : joins) {
      join.join();
    }
  }
}
