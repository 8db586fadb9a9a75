package dev.fairlead.pool;

import dev.fairlead.lease.Lease;
import dev.fairlead.policy.Demand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Taking and giving back a device's slots is atomic: never more leases than slots, never one
 * refused while a slot is free, never one that ends twice. The pool has threads of its own, so that
 * Lincheck cannot steer all of them; it stresses instead.
 */
public class LeasesLincheckTest {
  private static final boolean FULL = Boolean.getBoolean("fairlead.full");
  private static final int SLOTS = 2;
  private static final int THREADS = 3;
  private static final Queue<Lease> LEFT_OVER = new ConcurrentLinkedQueue<>();
  private static volatile DevicePool pool;

  private final List<List<Lease>> held =
      IntStream.range(0, THREADS + 2).<List<Lease>>mapToObj(any -> new ArrayList<>()).toList();

  public LeasesLincheckTest() {
    LEFT_OVER.forEach(Lease::close);
    LEFT_OVER.clear();
  }

  @BeforeAll
  static void open() {
    pool =
        DevicePool.of(
            List.of(TestingBackend.device(0).withSlots(SLOTS)),
            PoolOptions.usual().withTiming(Timing.usual().withPoll(Duration.ofSeconds(1))));
  }

  @AfterAll
  static void close() {
    LEFT_OVER.forEach(Lease::close);
    pool.close();
  }

  @Operation
  public boolean lease(@Param(gen = ThreadIdGen.class) int thread) {
    Optional<Lease> lease = pool.tryLease(Demand.any());
    lease.ifPresent(one -> {
      held.get(thread).add(one);
      LEFT_OVER.add(one);
    });
    return lease.isPresent();
  }

  /** Ends the lease that this thread took last. */
  @Operation
  public boolean succeed(@Param(gen = ThreadIdGen.class) int thread) {
    if (held.get(thread).isEmpty()) {
      return false;
    }
    Lease one = held.get(thread).removeLast();
    one.succeed();
    one.close();
    return true;
  }

  @Operation
  public int outstanding() {
    return (int) pool.snapshot().totals().outstanding();
  }

  @Test
  void slotsAreTakenAndGivenBackAtomically() {
    new StressOptions()
        .iterations(FULL ? 40 : 8)
        .invocationsPerIteration(FULL ? 5_000 : 1_000)
        .threads(THREADS)
        .actorsPerThread(3)
        .check(LeasesLincheckTest.class);
  }
}
