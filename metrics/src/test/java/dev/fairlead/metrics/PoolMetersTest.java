package dev.fairlead.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceException;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Fault;
import dev.fairlead.event.PoolListener.Event;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.lease.QueuedWork;
import dev.fairlead.lease.Ticket;
import dev.fairlead.policy.Demand;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.PoolOptions;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.search.RequiredSearch;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Meters in a registry whose clock stands still unless a test moves it. */
class PoolMetersTest {
  private static final Demand ANY = Demand.any();
  private static final int PATIENCE_SECONDS = 20;
  private static final QueuedWork QUEUED =
      new QueuedWork() {
        @Override
        public void run(Lease lease) {
          lease.giveBack();
        }

        @Override
        public void abandon(Throwable reason) {}

        @Override
        public String holder() {
          return "the test";
        }
      };

  private final MockClock clock = new MockClock();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
  private final DevicePool pool =
      DevicePool.of(
          List.of(device(0).withSlots(2), device(1)), PoolOptions.usual().withTicker(() -> 0));

  private static Device device(int ordinal) {
    return Device.of(DeviceKind.SIMULATED, ordinal);
  }

  @AfterEach
  void close() {
    pool.close();
  }

  /** Later by so much that meters look again. */
  private void later() {
    clock.add(Duration.ofSeconds(1));
  }

  private RequiredSearch meters(String name, Device device) {
    return registry.get("fairlead.device." + name).tag("device", device.label());
  }

  private double gauge(String name, Device device) {
    return meters(name, device).gauge().value();
  }

  private double count(String name, Device device) {
    return meters(name, device).functionCounter().count();
  }

  private List<String> devicesWithMeters() {
    return registry.getMeters().stream()
        .map(meter -> meter.getId().getTag("device"))
        .filter(label -> label != null)
        .distinct()
        .sorted()
        .toList();
  }

  @Test
  void leasesAreCountedWhileTheyAreHeldAndNoLonger() throws InterruptedException {
    try (PoolMeters meters = PoolMeters.of(pool)) {
      meters.bindTo(registry);
      List<Lease> held = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        held.add(pool.lease(ANY, Duration.ZERO));
      }
      later();
      assertThat(gauge("leased", device(0))).isEqualTo(2);
      assertThat(gauge("leased", device(1))).isEqualTo(1);
      assertThat(gauge("slots", device(0))).isEqualTo(2);

      held.forEach(Lease::succeed);
      later();
      assertThat(gauge("leased", device(0)) + gauge("leased", device(1))).isZero();
      assertThat(count("completed", device(0))).isEqualTo(2);
      assertThat(count("completed", device(1))).isEqualTo(1);
    }
  }

  @Test
  void whatIsReadTogetherIsOfOneMoment() throws InterruptedException {
    try (PoolMeters meters = PoolMeters.of(pool)) {
      meters.bindTo(registry);
      later();
      assertThat(gauge("leased", device(0))).isZero();
      try (Lease lease = pool.lease(ANY, Duration.ZERO)) {
        assertThat(gauge("leased", device(lease.index()))).as("within the moment").isZero();
        clock.add(Readings.FRESH_NANOS, TimeUnit.NANOSECONDS);
        assertThat(gauge("leased", device(lease.index()))).isEqualTo(1);
      }
    }
  }

  @Test
  void queuedWorkAndDemandsThatAreInNoQueueWait() throws Exception {
    try (PoolMeters meters = PoolMeters.of(pool)) {
      meters.bindTo(registry);
      List<Lease> held = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        held.add(pool.lease(ANY, Duration.ZERO));
      }
      Ticket queued = pool.submit(ANY, QUEUED);
      var waits = pool.leaseAsync(ANY);
      later();
      assertThat(gauge("waiting", device(0)) + gauge("waiting", device(1))).isEqualTo(1);
      assertThat(registry.get("fairlead.pool.waiting").gauge().value()).isEqualTo(1);

      assertThat(pool.withdraw(queued)).isTrue();
      assertThat(waits.cancel(false)).isTrue();
      later();
      assertThat(gauge("waiting", device(0)) + gauge("waiting", device(1))).isZero();
      assertThat(registry.get("fairlead.pool.waiting").gauge().value()).isZero();
      held.forEach(Lease::giveBack);
    }
  }

  @Test
  void failuresHealthAndRefusalsAreShown() throws InterruptedException {
    try (PoolMeters meters = PoolMeters.of(pool)) {
      meters.bindTo(registry);
      assertThat(gauge("healthy", device(1))).isEqualTo(1);
      for (int i = 0; i < 3; i++) {
        Lease lease = pool.lease(ANY.onlyOn(device(1).id()), Duration.ZERO);
        lease.fail(new DeviceException(Fault.DEVICE, "no answer"));
      }
      pool.pause(device(0).id());
      assertThatThrownBy(() -> pool.lease(ANY, Duration.ZERO))
          .isInstanceOf(PoolException.TimedOut.class);
      later();

      assertThat(count("failures", device(1))).isEqualTo(3);
      assertThat(gauge("healthy", device(1))).isZero();
      assertThat(gauge("healthy", device(0))).isEqualTo(1);
      assertThat(gauge("paused", device(0))).isEqualTo(1);
      assertThat(
              registry
                  .get("fairlead.pool.refusals")
                  .tag("reason", "timeout")
                  .functionCounter()
                  .count())
          .isEqualTo(1);
    }
  }

  @Test
  void devicesThatComeHaveMetersAndThoseOfDevicesThatLeaveGo() throws InterruptedException {
    CountDownLatch gone = new CountDownLatch(1);
    CountDownLatch come = new CountDownLatch(1);
    try (PoolMeters meters = PoolMeters.of(pool, MeterOptions.usual().withTimers())) {
      meters.bindTo(registry);
      assertThat(devicesWithMeters()).containsExactly("simulated:0", "simulated:1");
      registry.config().onMeterAdded(meter -> onLast(meter, come, "simulated:7"));
      registry.config().onMeterRemoved(meter -> onLast(meter, gone, "simulated:1"));

      pool.add(device(7));
      assertThat(come.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(pool.remove(device(1).id(), Duration.ofSeconds(PATIENCE_SECONDS))).isTrue();
      assertThat(gone.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(registry.getMeters()).as("after the meters were closed").isEmpty();
  }

  private void onLast(Meter meter, CountDownLatch latch, String label) {
    boolean itsOwn = label.equals(meter.getId().getTag("device"));
    if (itsOwn && meter.getId().getName().equals("fairlead.device.slots")) {
      latch.countDown();
    }
  }

  @Test
  void aDeviceThatCameAgainKeepsItsMetersWhenItsLeavingIsToldLate() {
    PoolBinding binding = PoolBinding.open(pool, MeterOptions.usual(), registry);
    binding.on(new Event.Added(device(1), 5));
    binding.on(new Event.Removed(device(1), 1));
    assertThat(devicesWithMeters()).containsExactly("simulated:0", "simulated:1");

    binding.on(new Event.Removed(device(1), 5));
    assertThat(devicesWithMeters()).containsExactly("simulated:0");
    binding.close();
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void aDeviceThatWasNotToldOfHasMetersAfterTheNextLook() {
    PoolBinding binding = PoolBinding.open(pool, MeterOptions.usual(), registry);
    binding.on(new Event.Removed(device(1), 1));
    assertThat(devicesWithMeters()).containsExactly("simulated:0");

    assertThat(registry.get("fairlead.pool.devices").gauge().value()).isEqualTo(2);
    assertThat(devicesWithMeters()).containsExactly("simulated:0", "simulated:1");
    binding.close();
  }

  @Test
  void afterTheyAreClosedNothingIsHeardOfThePool() {
    PoolBinding binding = PoolBinding.open(pool, MeterOptions.usual(), registry);
    binding.close();
    binding.on(new Event.Added(device(7), 7));
    assertThat(registry.getMeters()).isEmpty();

    PoolMeters meters = PoolMeters.of(pool);
    meters.close();
    assertThatThrownBy(() -> meters.bindTo(registry)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void theirThreadEndsWithThem() throws InterruptedException {
    Set<Thread> before = listeners();
    PoolMeters meters = PoolMeters.of(pool);
    meters.bindTo(registry);
    CountDownLatch come = new CountDownLatch(1);
    registry.config().onMeterAdded(meter -> onLast(meter, come, "simulated:7"));
    pool.add(device(7));
    assertThat(come.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    Set<Thread> its = listeners();
    its.removeAll(before);
    assertThat(its).hasSize(1);

    meters.close();
    for (Thread thread : its) {
      assertThat(thread.join(Duration.ofSeconds(PATIENCE_SECONDS))).isTrue();
    }
  }

  private static Set<Thread> listeners() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("fairlead listener"))
        .collect(Collectors.toCollection(HashSet::new));
  }

  @Test
  void workIsTimedByKindAndOutcomeWhereThatWasAskedFor() {
    PoolBinding binding = PoolBinding.open(pool, MeterOptions.usual().withTimers(), registry);
    assertThat(binding.wantsLeases()).isTrue();
    Demand encode = Demand.of("encode", 8);
    binding.on(ended(encode, Duration.ofSeconds(2), null, false));
    binding.on(ended(encode, Duration.ofSeconds(4), null, false));
    binding.on(ended(encode, Duration.ofSeconds(1), Fault.DEVICE, false));
    binding.on(ended(encode, Duration.ofSeconds(9), null, true));
    binding.on(ended(ANY, Duration.ofSeconds(3), null, false));

    RequiredSearch timers = meters("work", device(0)).tag("kind", "encode");
    assertThat(timers.tag("outcome", "success").timer().count()).isEqualTo(2);
    assertThat(timers.tag("outcome", "success").timer().totalTime(TimeUnit.SECONDS)).isEqualTo(6);
    assertThat(
            meters("work", device(0))
                .tag("kind", "encode")
                .tag("outcome", "device")
                .timer()
                .count())
        .isEqualTo(1);
    assertThat(meters("work", device(0)).tag("kind", "unspecified").timer().count()).isEqualTo(1);
    binding.on(new Event.Removed(device(0), 0));
    assertThat(devicesWithMeters()).containsExactly("simulated:1");
    binding.close();
  }

  private static Event.Ended ended(
      Demand demand, Duration held, @Nullable Fault fault, boolean unused) {
    return new Event.Ended(1, device(0), demand, held, fault, unused);
  }

  @Test
  void leasesAreNotListenedToUnlessTimersWereAskedFor() {
    try (PoolBinding binding = PoolBinding.open(pool, MeterOptions.usual(), registry)) {
      assertThat(binding.wantsLeases()).isFalse();
    }
  }

  @Test
  void countersAndGaugesBalanceAfterWorkOfEveryEnding() throws InterruptedException {
    Random random = new Random(7919);
    int completed = 0;
    int failed = 0;
    try (PoolMeters meters = PoolMeters.of(pool, MeterOptions.usual().withTimers())) {
      meters.bindTo(registry);
      List<Lease> held = new ArrayList<>();
      for (int step = 0; step < 2_000; step++) {
        if (held.size() < 3 && random.nextBoolean()) {
          held.add(pool.lease(ANY, Duration.ZERO));
        } else if (!held.isEmpty()) {
          Lease lease = held.remove(random.nextInt(held.size()));
          switch (random.nextInt(3)) {
            case 0 -> lease.giveBack();
            case 1 -> {
              lease.fail(new IllegalStateException("wrong work"));
              failed++;
            }
            default -> {
              lease.succeed();
              completed++;
            }
          }
        }
        later();
        assertThat(gauge("leased", device(0)) + gauge("leased", device(1))).isEqualTo(held.size());
      }
      held.forEach(Lease::giveBack);
      later();
      assertThat(gauge("leased", device(0)) + gauge("leased", device(1))).isZero();
      assertThat(count("completed", device(0)) + count("completed", device(1)))
          .isEqualTo(completed);
      assertThat(count("failures", device(0)) + count("failures", device(1))).isEqualTo(failed);
    }
  }
}
