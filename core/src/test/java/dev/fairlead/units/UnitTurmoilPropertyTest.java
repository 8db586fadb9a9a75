package dev.fairlead.units;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceException;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Fault;
import dev.fairlead.device.Resources;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.outcome.Outcome;
import dev.fairlead.outcome.TaskException;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.FairShares;
import dev.fairlead.policy.Policies;
import dev.fairlead.policy.Priority;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.policy.ServicePolicy;
import dev.fairlead.policy.Tenant;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.NoThreadLeft;
import dev.fairlead.pool.PoolOptions;
import dev.fairlead.pool.TestingBackend;
import dev.fairlead.pool.TestingContext;
import dev.fairlead.pool.TestingPools;
import dev.fairlead.pool.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Random units of random parties on random fleets, with failures of every kind, strikes, clones,
 * parking, devices that come and go and are used by others: every unit ends once and for a reason,
 * nothing stays reserved, no context stays open. Time runs a hundred times faster for the pool, so
 * that quarantines pass quickly.
 */
@ExtendWith(NoThreadLeft.class)
class UnitTurmoilPropertyTest {
  private static final boolean FULL = Boolean.getBoolean("fairlead.full");
  private static final int HASTE = 100;
  private static final int UNITS = 100;
  private static final int GROUPS = 3;

  @Test
  void everyUnitEndsOnceAndNothingStaysReserved() throws InterruptedException {
    Long only = Long.getLong("fairlead.seed");
    int runs = FULL ? 1_000 : 50;
    for (int run = 0; run < runs; run++) {
      long seed = only == null ? 7_919L * run + 1 : only;
      try {
        turmoil(seed);
      } catch (AssertionError | RuntimeException failure) {
        throw new AssertionError("failed with -Dfairlead.seed=" + seed, failure);
      }
    }
  }

  private static void turmoil(long seed) throws InterruptedException {
    Random random = new Random(seed);
    TestingBackend backend = new TestingBackend();
    List<Device> devices =
        IntStream.range(0, 1 + random.nextInt(5)).mapToObj(i -> device(i, random)).toList();
    long origin = System.nanoTime();
    PoolOptions options =
        PoolOptions.usual()
            .withPolicy(Policies.all().get(random.nextInt(Policies.all().size())))
            .withTicker(() -> (System.nanoTime() - origin) * HASTE)
            .withSeed(seed)
            .withHostLimits(Map.of("session", 2L))
            .withTiming(Timing.usual().withPoll(Duration.ofMillis(4)));
    Map<UnitTask<?>, AtomicInteger> endings = new ConcurrentHashMap<>();
    ServiceOptions terms =
        ServiceOptions.usual()
            .withTries(1 + random.nextInt(4))
            .withListener(event -> {
              if (event instanceof UnitListener.Event.Ended ended) {
                endings.computeIfAbsent(ended.unit(), any -> new AtomicInteger()).incrementAndGet();
              }
            });
    boolean cancels = random.nextInt(5) == 0;
    try (DevicePool pool = DevicePool.open(backend.found(devices), options)) {
      ServiceOptions its = random.nextBoolean() ? terms.withClones() : terms;
      ServicePolicy inner = ServicePolicies.all().get(random.nextInt(3));
      UnitQueue queue =
          UnitQueue.open(pool, random.nextBoolean() ? ServicePolicies.fair(inner) : inner);
      List<Party> parties =
          IntStream.range(0, 1 + random.nextInt(3))
              .mapToObj(i -> queue.join(party(i, random).withService(its)))
              .toList();
      Thread meddler = Thread.ofPlatform().start(() -> meddle(pool, parties, backend, seed));
      List<UnitTask<Integer>> units = new ArrayList<>();
      List<AtomicInteger> successes = new ArrayList<>();
      for (int number = 0; number < UNITS; number++) {
        successes.add(new AtomicInteger());
        Party party = parties.get(random.nextInt(parties.size()));
        units.add(offer(party, number, random, successes.get(number)));
      }
      meddler.join();
      parties.forEach(Party::goOn);
      for (Party party : parties) {
        if (cancels) {
          party.cancelAndClose();
        } else {
          party.close();
        }
      }
      assertThat(queue.shares().tenants()).noneMatch(FairShares.Share::present);
      queue.close();
      for (int number = 0; number < UNITS; number++) {
        UnitTask<Integer> unit = units.get(number);
        assertThat(unit.isEnded()).as("%s is over", unit).isTrue();
        assertThat(endings.get(unit)).as("endings of %s", unit).hasValue(1);
        check(unit, number, successes.get(number).get(), terms.tries(), cancels);
      }
      checkReports(parties.stream().map(Party::report).toList(), units);
      TestingPools.requireAtRest(pool);
    }
    for (TestingContext context : backend.contexts()) {
      assertThat(context.closedOn()).as("closings of a context on %s", context.device()).hasSize(1);
      assertThat(context.closedUnderWork()).isFalse();
    }
  }

  private static PartyOptions party(int number, Random random) {
    return PartyOptions.of("party" + number, GROUPS)
        .withTenant(new Tenant("tenant" + random.nextInt(2), 1 + random.nextInt(3)))
        .withPriority(Priority.values()[random.nextInt(3)]);
  }

  private static Device device(int ordinal, Random random) {
    return Device.of(DeviceKind.SIMULATED, ordinal)
        .withWeight(0.5 + random.nextInt(4))
        .withCapacity(Resources.oneSlot().withSlots(1 + random.nextInt(3)).withMemory(1000));
  }

  private static UnitTask<Integer> offer(
      Party service, int number, Random random, AtomicInteger successes) {
    Demand demand = Demand.of("kind" + random.nextInt(2), 1 + random.nextInt(5));
    Demand asked =
        switch (random.nextInt(4)) {
          case 0 -> demand.withMemory(random.nextInt(1001));
          case 1 -> demand.with("session", 1 + random.nextInt(2));
          case 2 -> demand;
          default -> Demand.any();
        };
    int fate = random.nextInt(100);
    long nanos = random.nextInt(4) == 0 ? random.nextInt(2_000_000) : 0;
    AtomicInteger tries = new AtomicInteger();
    return service.offer(
        random.nextInt(GROUPS),
        number / GROUPS,
        asked,
        (slot, cancelled) -> {
          LockSupport.parkNanos(nanos);
          boolean first = tries.getAndIncrement() == 0;
          switch (fate) {
            case 0, 1, 2, 3, 4 -> throw new IllegalStateException("always wrong");
            case 5, 6, 7 -> failFirst(first, Fault.WORK);
            case 8, 9, 10, 11, 12 -> failFirst(first, Fault.DEVICE);
            case 13, 14 -> failFirst(first, Fault.OUT_OF_MEMORY);
            case 15 -> failFirst(first, Fault.CONTEXT);
            case 16 -> failFirst(first && slot.device().ordinal() % 3 == 1, Fault.LOST);
            case 17 -> throw new AssertionError("an Error");
            case 18 -> {
              if (first) {
                throw new UnfitForGroup("not this one");
              }
            }
            default -> {}
          }
          successes.incrementAndGet();
          return number;
        });
  }

  private static void failFirst(boolean now, Fault fault) {
    if (now) {
      throw new DeviceException(fault, "injected " + fault);
    }
  }

  /** Adds and removes devices, strikes them off and lets them in, uses them, looks at all of it. */
  private static void meddle(
      DevicePool pool, List<Party> parties, TestingBackend backend, long seed) {
    Random random = new Random(~seed);
    for (int step = 0; step < 30; step++) {
      Party service = parties.get(random.nextInt(parties.size()));
      try {
        List<Device> all = pool.devices();
        switch (random.nextInt(9)) {
          case 0 -> pool.add(new Discovery.Found(device(100 + step, random), backend));
          case 1 -> {
            if (all.size() > 1) {
              pool.remove(all.get(random.nextInt(all.size())).id(), Duration.ofMillis(2));
            }
          }
          case 2 -> {
            if (!all.isEmpty()) {
              Device some = all.get(random.nextInt(all.size()));
              service.strikeOff(random.nextInt(GROUPS), some.id(), "meddling");
            }
          }
          case 3 -> service.readmit(random.nextInt(GROUPS));
          case 4 -> {
            try (Lease lease = pool.lease(Demand.any().withMemory(400), Duration.ofMillis(3))) {
              LockSupport.parkNanos(random.nextInt(1_000_000));
              lease.succeed();
            }
          }
          case 5 -> service.priority(Priority.values()[random.nextInt(3)]);
          case 6 -> {
            CompletionStage<Void> _ = service.park();
          }
          case 7 -> {
            service.whole(random.nextInt(UNITS), random.nextBoolean());
            service.goOn();
          }
          default ->
              service
                  .report()
                  .groups()
                  .forEach(group -> {
                    assertThat(group.waiting()).isNotNegative();
                    assertThat(group.running()).isNotNegative();
                  });
        }
        LockSupport.parkNanos(random.nextInt(500_000));
      } catch (PoolException.UnknownDevice
          | PoolException.TimedOut
          | PoolException.Rejected goneOrBusy) {
        assertThat(goneOrBusy).hasMessageNotContaining("null");
      } catch (InterruptedException impossible) {
        throw new IllegalStateException(impossible);
      }
    }
  }

  private static void check(
      UnitTask<Integer> unit, int number, int successes, int tries, boolean cancels)
      throws InterruptedException {
    switch (unit.await()) {
      case Outcome.Succeeded<Integer> succeeded -> {
        assertThat(succeeded.value()).isEqualTo(number);
        assertThat(successes).as("successes, one of them a clone's").isBetween(1, 2);
      }
      case Outcome.Failed<Integer> failed -> {
        assertThat(successes).as("runs that succeeded of a failed unit").isZero();
        boolean refused =
            failed.cause() instanceof PoolException.Rejected
                || failed.cause() instanceof TaskException.GroupStruckOff;
        assertThat(refused || failed.failures().size() >= tries)
            .as("%s failed by %s after %s", unit, failed.cause(), failed.failures())
            .isTrue();
      }
      case Outcome.Cancelled<Integer> _ -> assertThat(cancels).as("cancelled").isTrue();
    }
  }

  private static void checkReports(List<ServiceReport> reports, List<UnitTask<Integer>> units) {
    long ended = 0;
    for (ServiceReport report : reports) {
      long done = 0;
      for (ServiceReport.GroupShare group : report.groups()) {
        assertThat(group.waiting()).isZero();
        assertThat(group.running()).isZero();
        ended += group.done() + group.condemned() + group.cancelled();
        done += group.done();
      }
      assertThat(report.devices().stream().mapToLong(ServiceReport.DeviceShare::units).sum())
          .isEqualTo(done);
    }
    assertThat(ended).isEqualTo(units.size());
  }
}
