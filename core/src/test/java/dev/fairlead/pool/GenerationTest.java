package dev.fairlead.pool;

import static dev.fairlead.pool.TestingPools.awaitHealth;
import static dev.fairlead.pool.TestingPools.entry;
import static dev.fairlead.pool.TestingPools.fault;
import static dev.fairlead.pool.TestingPools.lease;
import static dev.fairlead.pool.TestingPools.still;
import static dev.fairlead.pool.TestingPools.tick;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.Fault;
import dev.fairlead.device.Slot;
import dev.fairlead.health.Health;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What becomes of leases whose device has got another context meanwhile. */
@ExtendWith(NoThreadLeft.class)
class GenerationTest {
  private static final Duration REST = Duration.ofSeconds(1);

  private final ManualTicker ticker = new ManualTicker();
  private final TestingBackend backend = new TestingBackend();
  private final Device device = TestingBackend.device(0).withSlots(3);
  private final DevicePool pool = DevicePool.open(backend.found(List.of(device)), still(ticker));

  @AfterEach
  void close() {
    pool.close();
    assertThat(backend.contexts())
        .allSatisfy(context -> {
          assertThat(context.closedOn()).hasSize(1);
          assertThat(context.usedAfterClose()).isFalse();
        });
  }

  private void poison() throws InterruptedException {
    lease(pool).fail(fault(Fault.CONTEXT));
    tick(pool, ticker, REST);
  }

  private void rebuild() throws InterruptedException {
    poison();
    // A look that finds the device in use leaves the probe to the next one.
    Eventually.until(
        device + " is probing",
        () -> {
          pool.maintenance().tick(ticker.nanos());
          return pool.health(device.id()) == Health.PROBING;
        });
  }

  @Test
  void anOldLeaseDoesNotKeepItsDeviceFromBeingRebuiltAndIsRefused() throws Exception {
    Lease old = lease(pool);
    old.run(slot -> 1);
    rebuild();
    assertThat(backend.contexts(device)).hasSize(2);
    assertThatThrownBy(() -> old.run(slot -> 2))
        .isInstanceOf(PoolException.StaleGeneration.class)
        .hasMessageContainingAll("generation 0", device.toString(), "generation 1", "lease again");
    old.close();
  }

  /** The time is asked for between the first look at the generation and the one under the lock. */
  @Test
  void aLeaseIsRefusedThatIsOvertakenByARebuildJustBeforeItsWorkBegins() throws Exception {
    Lease old = lease(pool);
    ticker.whenAsked(() -> {
      try {
        rebuild();
      } catch (InterruptedException impossible) {
        throw new IllegalStateException(impossible);
      }
    });
    assertThatThrownBy(() -> old.run(slot -> 2)).isInstanceOf(PoolException.StaleGeneration.class);
    assertThat(backend.contexts(device)).hasSize(2);
    old.close();
  }

  @Test
  void aNewLeaseWorksInTheNewContextOnEveryThread() throws Exception {
    List<Lease> old = List.of(lease(pool), lease(pool));
    for (Lease each : old) {
      each.run(slot -> 1);
    }
    rebuild();
    old.forEach(Lease::giveBack);
    lease(pool).succeed();
    DeviceContext fresh = backend.contexts(device).getLast();
    List<Lease> leases = List.of(lease(pool), lease(pool), lease(pool));
    for (Lease each : leases) {
      assertThat(each.generation()).isEqualTo(1);
      Slot slot = each.run(given -> given);
      assertThat(slot.generation()).isEqualTo(1);
      assertThat(slot.context()).isSameAs(fresh);
    }
    leases.forEach(Lease::succeed);
    assertThat(backend.contexts(device).getLast().boundOn()).doesNotHaveDuplicates();
  }

  @Test
  void anEventThatNeverComesIsCaughtByTheWatchdog() throws Exception {
    PoolOptions options = still(ticker);
    Timing timing = options.timing().withWatchdog(Duration.ofSeconds(5));
    try (DevicePool watched =
        DevicePool.open(new TestingBackend().found(List.of(device)), options.withTiming(timing))) {
      Lease lease = lease(watched);
      CompletableFuture<String> never = lease.run(slot -> new CompletableFuture<>());
      lease.endWith(never);
      tick(watched, ticker, Duration.ofSeconds(4));
      assertThat(watched.health(device.id())).isEqualTo(Health.READY);

      tick(watched, ticker, Duration.ofSeconds(2));
      assertThat(watched.health(device.id())).isEqualTo(Health.QUARANTINED);
      assertThat(entry(watched, device).leases()).isEmpty();
      never.complete("too late");
      assertThat(entry(watched, device).stats().failed()).isEqualTo(1);
    }
  }

  @Test
  void eachRebuildIsAGenerationOfItsOwn() throws Exception {
    rebuild();
    Lease first = lease(pool);
    assertThat(first.generation()).isEqualTo(1);
    first.succeed();
    rebuild();
    assertThat(entry(pool, device).generation()).isEqualTo(2);
    assertThatThrownBy(() -> first.run(slot -> 1)).isInstanceOf(PoolException.LeaseEnded.class);
    Lease second = lease(pool);
    assertThat(second.run(Slot::generation)).isEqualTo(2);
    second.succeed();
  }

  @Test
  void ofWhatOldLeasesFailWithOnlyTheLossOfTheDeviceCounts() throws Exception {
    Lease old = lease(pool);
    Lease another = lease(pool);
    rebuild();
    old.fail(fault(Fault.CONTEXT));
    assertThat(pool.health(device.id())).isEqualTo(Health.PROBING);
    another.fail(fault(Fault.LOST));
    Eventually.until("it has left", () -> pool.size() == 0);
  }

  @Test
  void anOldLeaseIsRefusedWhileTheNewContextIsBeingOpened() throws Exception {
    Lease old = lease(pool);
    old.run(slot -> 1);
    CountDownLatch opening = new CountDownLatch(1);
    CountDownLatch opens = new CountDownLatch(1);
    backend
        .on(device)
        .opens(() -> {
          opening.countDown();
          Eventually.open(opens);
        });
    poison();
    Eventually.open(opening);
    try {
      assertThatThrownBy(() -> old.run(slot -> 2))
          .isInstanceOf(PoolException.StaleGeneration.class);
    } finally {
      opens.countDown();
    }
    awaitHealth(pool, device, Health.PROBING);
    old.close();
  }

  @Test
  void whatAnOldLeaseSaysAtItsEndSaysNothingOfTheNewContext() throws Exception {
    Lease poisoned = lease(pool);
    Lease well = lease(pool);
    assertThatThrownBy(() ->
            poisoned.run(slot -> {
              throw fault(Fault.CONTEXT);
            }))
        .isNotNull();
    rebuild();
    poisoned.close();
    assertThat(pool.health(device.id())).isEqualTo(Health.PROBING);
    well.succeed();
    assertThat(pool.health(device.id())).isEqualTo(Health.PROBING);
    lease(pool).succeed();
    assertThat(pool.health(device.id())).isEqualTo(Health.READY);
    assertThat(backend.contexts(device)).hasSize(2);
  }
}
