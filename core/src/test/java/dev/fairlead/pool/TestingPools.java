package dev.fairlead.pool;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceException;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.Fault;
import dev.fairlead.health.Health;
import dev.fairlead.lease.Lease;
import dev.fairlead.policy.Demand;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;

/** Options and small steps that most tests of the pool share. */
public final class TestingPools {
  /** Longer than anybody waits for anything in a test. */
  public static final Duration LONG = Eventually.PATIENCE.multipliedBy(3);

  public static final Duration POLL = Duration.ofMillis(20);

  private TestingPools() {}

  /** The usual, with a short poll and a grace that a test can sit out. */
  public static PoolOptions options() {
    return PoolOptions.usual()
        .withTiming(Timing.usual().withPoll(POLL).withGrace(Duration.ofSeconds(5)));
  }

  /**
   * The same on time that the test moves; however far it does, nothing that opens seems to hang.
   * The maintenance thread looks every few real milliseconds.
   */
  public static PoolOptions options(ManualTicker ticker) {
    Duration ever = ChronoUnit.FOREVER.getDuration();
    return options().withTicker(ticker).withTiming(options().timing().withOpening(ever));
  }

  /**
   * The same, but the maintenance thread looks once at the start and then only when {@link #tick}
   * says so.
   */
  public static PoolOptions still(ManualTicker ticker) {
    PoolOptions options = options(ticker);
    return options.withTiming(options.timing().withPoll(Duration.ofHours(1)));
  }

  /** {@link #options} where work counts as hung after {@code limit}. */
  public static PoolOptions watched(Duration limit) {
    return options().withTiming(options().timing().withWatchdog(limit));
  }

  /** Lets time pass, then the maintenance thread do what is due. */
  public static void tick(DevicePool pool, ManualTicker ticker, Duration step) {
    ticker.advance(step);
    pool.maintenance().tick(ticker.nanos());
  }

  public static void awaitWaiting(DevicePool pool, int count) {
    Eventually.until(count + " wait", () -> pool.snapshot().waiting() == count);
  }

  public static Lease lease(DevicePool pool, Device... only) throws InterruptedException {
    Demand demand =
        only.length == 0
            ? Demand.any()
            : Demand.any().onlyOn(Arrays.stream(only).map(Device::id).toArray(DeviceId[]::new));
    return pool.lease(demand, LONG);
  }

  public static DeviceException fault(Fault fault) {
    return new DeviceException(fault, "a fault of class " + fault);
  }

  public static PoolSnapshot.Entry entry(DevicePool pool, Device device) {
    return pool.snapshot().devices().stream()
        .filter(entry -> entry.device().id().equals(device.id()))
        .findFirst()
        .orElseThrow();
  }

  public static void awaitHealth(DevicePool pool, Device device, Health health) {
    Eventually.until(device + " is " + health, () -> pool.health(device.id()) == health);
  }

  /** Nothing is outstanding, held or reserved on any device, and nobody waits. */
  public static void requireAtRest(DevicePool pool) {
    Eventually.until(
        "nothing is outstanding: " + pool.snapshot(),
        () -> {
          PoolSnapshot snapshot = pool.snapshot();
          return snapshot.totals().outstanding() == 0
              && snapshot.waiting() == 0
              && snapshot.devices().stream().allMatch(TestingPools::isAtRest);
        });
  }

  private static boolean isAtRest(PoolSnapshot.Entry entry) {
    return entry.leases().isEmpty()
        && entry.stats().outstanding() == 0
        && entry.load().queueDepth() == 0
        && entry.load().freeBytes() == entry.device().memoryBytes();
  }

  public static List<Device> withSlots(List<Device> devices, int slots) {
    return devices.stream().map(device -> device.withSlots(slots)).toList();
  }
}
