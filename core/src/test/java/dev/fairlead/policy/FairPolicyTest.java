package dev.fairlead.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whose turn it is, decision by decision. */
class FairPolicyTest {
  private static final FairPolicy FAIR = ServicePolicies.fair(ServicePolicies.anyRung());

  private static @Nullable Long job(TestingJobs.@Nullable Unit unit) {
    return unit == null ? null : unit.job();
  }

  private static void offer(TestingJobs jobs, long job, int count) {
    for (int order = 0; order < count; order++) {
      jobs.offer(job, order, 1);
    }
  }

  /** Charged at its end, all of the 64 would go to the first. */
  @Test
  void devicesThatAreFreeAtOnceGoToTenantsByWeight() {
    TestingJobs jobs = TestingJobs.onEqual(64);
    long heavy = jobs.join("heavy", 3);
    long light = jobs.join("light", 1);
    offer(jobs, heavy, 100);
    offer(jobs, light, 100);
    Map<Long, Integer> taken = new TreeMap<>();
    for (int device = 0; device < 64; device++) {
      taken.merge(Objects.requireNonNull(job(jobs.take(FAIR, device))), 1, Integer::sum);
    }
    assertThat(taken).isEqualTo(Map.of(heavy, 48, light, 16));
  }

  @Test
  void anotherWeightCountsAtOnce() {
    TestingJobs jobs = TestingJobs.onEqual(64);
    long heavy = jobs.join("heavy", 1);
    long light = jobs.join("light", 1);
    offer(jobs, heavy, 100);
    offer(jobs, light, 100);
    jobs.books().weigh(new Tenant("heavy", 3));
    jobs.books().weigh(new Tenant("unheard of", 3));
    Map<Long, Integer> taken = new TreeMap<>();
    for (int device = 0; device < 64; device++) {
      taken.merge(Objects.requireNonNull(job(jobs.take(FAIR, device))), 1, Integer::sum);
    }
    assertThat(taken).isEqualTo(Map.of(heavy, 48, light, 16));
  }

  /**
   * Its share is a tenth; set to the smallest time each time that it returns, it would have half.
   */
  @Test
  void aTenantThatIsAbsentAgainAndAgainIsNotForgiven() {
    TestingJobs jobs = TestingJobs.on(1);
    long heavy = jobs.join("heavy", 9);
    long light = jobs.join("light", 1);
    offer(jobs, heavy, 1000);
    int lights = 0;
    for (int step = 0; step < 500; step++) {
      if (!jobs.hasWaiting(light)) {
        jobs.offer(light, step, 1);
      }
      TestingJobs.Unit unit = take(jobs, 0);
      lights += unit.job() == light ? 1 : 0;
      // It is over before the tenant has its next one.
      jobs.books().pass(jobs.now);
    }
    assertThat(lights).isBetween(45, 55);
  }

  /** Takes a unit that ends at once after its predicted time. */
  private static TestingJobs.Unit take(TestingJobs jobs, int device) {
    jobs.books().pass(jobs.now);
    TestingJobs.Unit unit = jobs.unit(FAIR.next(jobs, device));
    FairBooks.Charge charge = jobs.start(unit, device);
    jobs.now += (long) (1e9 * unit.cost() / jobs.speeds[device]);
    jobs.books().ended(charge, unit.cost() / jobs.speeds[device]);
    return unit;
  }

  @Test
  void absenceSavesNothingUp() {
    TestingJobs jobs = TestingJobs.on(1);
    long one = jobs.join("one", 1);
    long other = jobs.join("other", 1);
    offer(jobs, one, 100);
    for (int step = 0; step < 50; step++) {
      assertThat(take(jobs, 0).job()).isEqualTo(one);
    }
    offer(jobs, other, 100);
    int others = 0;
    for (int step = 0; step < 20; step++) {
      others += take(jobs, 0).job() == other ? 1 : 0;
    }
    assertThat(others).isEqualTo(10);
  }

  /** Also if in between nothing was there at all. */
  @Test
  void absenceSavesNothingUpThoughAllWereAbsent() {
    TestingJobs jobs = TestingJobs.on(1);
    long one = jobs.join("one", 1);
    long other = jobs.join("other", 1);
    offer(jobs, one, 50);
    while (jobs.size() > 0) {
      take(jobs, 0);
    }
    jobs.books().pass(jobs.now);
    offer(jobs, other, 100);
    offer(jobs, one, 100);
    int others = 0;
    for (int step = 0; step < 20; step++) {
      others += take(jobs, 0).job() == other ? 1 : 0;
    }
    assertThat(others).isEqualTo(10);
  }

  @Test
  void whatATryTookInTheEndIsWhatCounts() {
    TestingJobs jobs = TestingJobs.on(1);
    long lies = jobs.join("lies", 1);
    long other = jobs.join("other", 1);
    offer(jobs, lies, 100);
    offer(jobs, other, 100);
    double had = 0;
    for (int step = 0; step < 40; step++) {
      jobs.books().pass(jobs.now);
      TestingJobs.Unit unit = jobs.unit(FAIR.next(jobs, 0));
      FairBooks.Charge charge = jobs.start(unit, 0);
      boolean itsOwn = unit.job() == lies;
      jobs.books().ended(charge, itsOwn ? 3 : 1);
      had += itsOwn ? 1 : 0;
    }
    assertThat(had).as("its units take three times as long as is predicted").isEqualTo(10);
  }

  @Test
  void aTryThatTheDeviceFailedIsFree() {
    TestingJobs jobs = TestingJobs.on(1);
    long one = jobs.join("one", 1);
    offer(jobs, one, 3);
    double before = time(jobs, "one");
    FairBooks.Charge charge = jobs.start(jobs.unit(0), 0);
    assertThat(time(jobs, "one")).isGreaterThan(before);
    jobs.books().returned(charge);
    assertThat(time(jobs, "one")).isEqualTo(before);
  }

  private static double time(TestingJobs jobs, String tenant) {
    return jobs.books().shares().tenants().stream()
        .filter(share -> share.tenant().name().equals(tenant))
        .findFirst()
        .orElseThrow()
        .time();
  }

  /** A second of a fast device is worth more. */
  @Test
  void secondsAreWeighedByTheSpeedOfTheDevice() {
    TestingJobs jobs = TestingJobs.on(9, 1);
    long one = jobs.join("one", 1);
    long two = jobs.join("two", 1);
    offer(jobs, one, 2);
    offer(jobs, two, 2);
    FairBooks.Charge fast = jobs.start(jobs.unit(0), 0);
    FairBooks.Charge slow = jobs.start(jobs.unit(2), 1);
    jobs.books().ended(fast, 1);
    jobs.books().ended(slow, 1);
    assertThat(time(jobs, "one")).isEqualTo(9 * time(jobs, "two"));
  }

  @Test
  void withinATenantPriorityIsStrictAndThenTheOlderJobGoesFirst() {
    TestingJobs jobs = TestingJobs.on(1);
    long low = jobs.join("tenant", 1, Priority.LOW, 1);
    long older = jobs.join("tenant", 1, Priority.NORMAL, 1);
    long younger = jobs.join("tenant", 1, Priority.NORMAL, 1);
    long high = jobs.join("tenant", 1, Priority.HIGH, 1);
    for (long job : List.of(low, older, younger, high)) {
      offer(jobs, job, 2);
    }
    assertThat(jobsTaken(jobs, 4)).containsExactly(high, high, older, older);
    jobs.priority(low, Priority.HIGH);
    assertThat(jobsTaken(jobs, 4)).containsExactly(low, low, younger, younger);
  }

  private static List<@Nullable Long> jobsTaken(TestingJobs jobs, int count) {
    List<@Nullable Long> taken = new ArrayList<>();
    for (int step = 0; step < count; step++) {
      taken.add(job(jobs.take(FAIR, 0)));
    }
    return taken;
  }

  @Test
  void aJobThatIsNotServedForTenMinutesCountsOneStepHigherUntilItsNextUnit() {
    TestingJobs jobs = TestingJobs.on(1);
    long normal = jobs.join("tenant", 1, Priority.NORMAL, 1);
    long low = jobs.join("tenant", 1, Priority.LOW, 1);
    long high = jobs.join("tenant", 1, Priority.HIGH, 1);
    offer(jobs, normal, 5);
    offer(jobs, low, 5);
    offer(jobs, high, 9);
    jobs.now += FairBooks.PATIENCE.toNanos() - 1;
    assertThat(jobsTaken(jobs, 2)).containsExactly(high, high);
    jobs.now += 1;
    // The normal one counts as high, and is older; the low one as normal.
    assertThat(jobsTaken(jobs, 3)).containsExactly(normal, high, high);
    jobs.now += FairBooks.PATIENCE.toNanos() / 2;
    assertThat(jobsTaken(jobs, 1)).containsExactly(high);
    jobs.now += Duration.ofMinutes(5).toNanos();
    assertThat(jobsTaken(jobs, 2)).containsExactly(normal, high);
    assertThat(jobsTaken(jobs, 3)).as("all that is high").containsExactly(high, high, high);
    assertThat(jobsTaken(jobs, 3))
        .as("low counts as normal; normal is older")
        .containsExactly(normal, normal, normal);
    assertThat(jobsTaken(jobs, 2)).containsExactly(low, low);
  }

  @Test
  void whereTheInnerPolicyHasNoneTheNextJobIsAskedAndThenTheNextTenant() {
    TestingJobs jobs = TestingJobs.on(1, 1);
    long barred = jobs.join("a", 1);
    long sibling = jobs.join("a", 1);
    long other = jobs.join("b", 1);
    jobs.offer(new TestingJobs.Unit(barred, 0, 0, 1, true, Set.of(1)));
    jobs.offer(sibling, 0, 1);
    jobs.offer(other, 0, 1);
    Turn turn = FAIR.turn(jobs, 1);
    assertThat(turn.asked()).extracting(Turn.Asked::job).containsExactly(barred, sibling);
    assertThat(Objects.requireNonNull(turn.served()).job()).isEqualTo(sibling);
    assertThat(turn.toString())
        .contains("has none for this device: job 0 of tenant a")
        .contains("turn: job 1 of tenant a");
    assertThat(job(jobs.take(FAIR, 1))).isEqualTo(sibling);
    assertThat(job(jobs.take(FAIR, 1))).isEqualTo(other);
    assertThat(job(jobs.take(FAIR, 1))).isNull();
    assertThat(job(jobs.take(FAIR, 0))).isEqualTo(barred);
    assertThat(FAIR.turn(jobs, 0)).hasToString("nothing waits");
  }

  @Test
  void whatIsStillInTheMakingIsTakenOnlyIfNothingWholeWaitsForThisDevice() {
    TestingJobs jobs = TestingJobs.on(1, 1);
    long first = jobs.join("a", 5, Priority.HIGH, 1);
    long second = jobs.join("b", 1, Priority.LOW, 1);
    jobs.offer(new TestingJobs.Unit(first, 0, 0, 1, false, Set.of()));
    jobs.offer(new TestingJobs.Unit(first, 0, 1, 1, false, Set.of()));
    jobs.offer(new TestingJobs.Unit(second, 0, 0, 1, true, Set.of(1)));
    assertThat(job(jobs.take(FAIR, 1))).as("the whole one is not for it").isEqualTo(first);
    assertThat(job(jobs.take(FAIR, 0))).isEqualTo(second);
    assertThat(job(jobs.take(FAIR, 0))).isEqualTo(first);
  }

  /** The last unit of a small job is not for a slow device while others have work for it. */
  @Test
  void aSlowDevicePassesOverASmallJobThatAFasterOneFinishesSooner() {
    TestingJobs jobs = TestingJobs.on(100, 1);
    long small = jobs.join("a", 1);
    long large = jobs.join("b", 1);
    jobs.offer(small, 0, 10);
    offer(jobs, large, 5);
    jobs.backlogs[0] = 1;
    assertThat(job(jobs.take(FAIR, 1))).isEqualTo(large);
    assertThat(job(jobs.take(FAIR, 0))).isEqualTo(small);
  }

  /** Each job by itself would leave the slow device idle; all together would not. */
  @Test
  void noDeviceIdlesThatTheInnerPolicyWouldHaveUsedForAll() {
    TestingJobs jobs = TestingJobs.on(4, 1, 1);
    for (int tenant = 0; tenant < 2; tenant++) {
      jobs.offer(jobs.join("tenant" + tenant, 1), 0, 4);
    }
    jobs.backlogs[0] = 2.5;
    jobs.backlogs[2] = 100;
    Turn turn = FAIR.turn(jobs, 1);
    assertThat(turn.unit()).isEqualTo(FAIR.inner().next(jobs, 1)).isNotEqualTo(ServicePolicy.NONE);
    assertThat(turn.forAll()).isTrue();
    assertThat(turn.served()).isNull();
    assertThat(FAIR.next(jobs, 1)).isEqualTo(turn.unit());
  }

  @Test
  void booksThatAreTakenUpAgainGoOnWhereTheyEnded() {
    TestingJobs before = TestingJobs.on(1);
    offer(before, before.join("a", 3), 100);
    offer(before, before.join("b", 1), 100);
    for (int step = 0; step < 6; step++) {
      take(before, 0);
    }
    FairShares saved = before.books().shares();
    TestingJobs after = new TestingJobs(new FairBooks(saved), 1);
    offer(after, after.join("a", 3), 100);
    offer(after, after.join("b", 1), 100);
    for (int step = 0; step < 30; step++) {
      assertThat(take(after, 0).job()).as("step %d", step).isEqualTo(take(before, 0).job());
    }
  }

  /** Counted, not timed: what is asked of the view, with little and with much waiting. */
  @Test
  void aDecisionAsksNoMoreWithMoreJobs() {
    assertThat(questions(10_000)).isEqualTo(questions(100));
  }

  private static long questions(int count) {
    TestingJobs jobs = TestingJobs.onEqual(16);
    for (int job = 0; job < count; job++) {
      offer(jobs, jobs.join("tenant" + job % 20, 1 + job % 3), 3);
    }
    jobs.questions = 0;
    for (int device = 0; device < 16; device++) {
      assertThat(jobs.take(FAIR, device)).isNotNull();
    }
    return jobs.questions;
  }

  @Test
  void aViewWithoutJobsIsTheInnerPolicysOwn() {
    TestingUnits units = TestingUnits.of(2, 1, 1).addChunk(1).addChunk(0).addChunk(2);
    assertThat(units.take(FAIR, 0)).isEqualTo("0@0");
    assertThat(FAIR.name()).isEqualTo("fair any-rung");
  }
}
