package dev.fairlead.benchmarks;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Slot;
import dev.fairlead.dispatch.Dispatcher;
import dev.fairlead.dispatch.Task;
import dev.fairlead.outcome.Outcome;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.PlacementPolicy;
import dev.fairlead.policy.Policies;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.PoolOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * A batch of equal items on two devices, one of them ten times as fast, of which nothing is known:
 * how long it takes, over the least that it could. The devices only wait, so that the machine's own
 * load shows as little as possible.
 *
 * <p>Run: {@code ./fairlead bench dispatch}
 */
final class ColdDistribution {
  private static final int ITEMS = 100;
  private static final double SLOW_PER_SECOND = 20;
  private static final double FAST_PER_SECOND = 200;

  private ColdDistribution() {}

  /** Makespan over the bound, by policy: the worse of a distribution and a burst of submissions. */
  static Map<String, Double> measure(Consumer<String> progress) {
    Map<String, Double> ratios = new TreeMap<>();
    for (PlacementPolicy policy : Policies.all()) {
      double distributed = over(policy, ColdDistribution::distribute);
      double submitted = over(policy, ColdDistribution::submit);
      ratios.put(policy.name(), Math.max(distributed, submitted));
      progress.accept(
          "  cold %-23s %10.2f times the bound, %.2f as a burst"
              .formatted(policy.name(), distributed, submitted));
    }
    return ratios;
  }

  private interface Batch {
    void run(Dispatcher dispatcher) throws InterruptedException;
  }

  private static double over(PlacementPolicy policy, Batch batch) {
    List<Device> devices =
        List.of(Device.of(DeviceKind.SIMULATED, 0), Device.of(DeviceKind.SIMULATED, 1));
    try (DevicePool pool = DevicePool.of(devices, PoolOptions.usual().withPolicy(policy));
        Dispatcher dispatcher = Dispatcher.on(pool)) {
      long begun = System.nanoTime();
      batch.run(dispatcher);
      double seconds = (System.nanoTime() - begun) / 1e9;
      return seconds * (SLOW_PER_SECOND + FAST_PER_SECOND) / ITEMS;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while it was measured", interrupted);
    }
  }

  private static void distribute(Dispatcher dispatcher) throws InterruptedException {
    List<Integer> items = IntStream.range(0, ITEMS).boxed().toList();
    dispatcher
        .distribute(items, Demand.any(), (item, slot) -> work(slot))
        .forEach(Outcome::orThrow);
  }

  private static void submit(Dispatcher dispatcher) throws InterruptedException {
    List<Task<Integer>> tasks = new ArrayList<>();
    for (int item = 0; item < ITEMS; item++) {
      tasks.add(dispatcher.submit(Demand.any(), ColdDistribution::work));
    }
    for (Task<Integer> task : tasks) {
      task.await().orThrow();
    }
  }

  private static int work(Slot slot) {
    double rate = slot.device().ordinal() == 0 ? SLOW_PER_SECOND : FAST_PER_SECOND;
    long begun = System.nanoTime();
    long nanos = (long) (1e9 / rate);
    for (long left = nanos; left > 0; left = nanos - (System.nanoTime() - begun)) {
      LockSupport.parkNanos(left);
    }
    return slot.number();
  }
}
