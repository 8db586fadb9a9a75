package dev.fairlead.media.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.policy.FairShares;
import dev.fairlead.policy.Priority;
import dev.fairlead.policy.Tenant;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Turns without workers: time passes when a test says so. */
class TurnsTest {
  private static final long MEMORY = 100;

  private long now;
  private int cardsTake = Integer.MAX_VALUE;
  private final Set<Path> full = new HashSet<>();
  private FairShares shares = FairShares.NONE;
  private Turns turns = turns(2);

  private Turns turns(int places) {
    return new Turns(
        new HostLimits(places, 1, Optional.empty()),
        MEMORY,
        new Turns.Gauges(
            path -> full.contains(path) ? 0 : Long.MAX_VALUE,
            () -> shares,
            running -> running < cardsTake,
            () -> now));
  }

  private TestingTurnJob enter(String tenant, Priority priority, long bytes) {
    TestingTurnJob job = new TestingTurnJob(Tenant.of(tenant), priority, bytes);
    turns.enter(job);
    turns.look();
    return job;
  }

  private TestingTurnJob enter(String tenant) {
    return enter(tenant, Priority.NORMAL, 1);
  }

  private void pass(long seconds) {
    now += TimeUnit.SECONDS.toNanos(seconds);
    turns.look();
  }

  /** A job has parked, and waits again. */
  private void park(TestingTurnJob job) {
    assertThat(job.isParking()).isTrue();
    turns.leave(job);
    job.parked();
    turns.enter(job);
    turns.look();
  }

  private void end(TestingTurnJob job) {
    turns.leave(job);
    turns.forget(job);
    turns.look();
  }

  private void assertRun(TestingTurnJob... jobs) {
    assertThat(jobs).allMatch(turns::isRunning);
  }

  private void assertWait(TestingTurnJob... jobs) {
    assertThat(jobs).noneMatch(turns::isRunning);
  }

  @Test
  void theTenantThatHasHadLeastStartsFirst() {
    turns = turns(1);
    shares =
        new FairShares(
            0,
            List.of(
                new FairShares.Share(Tenant.of("little"), 1, 0, true),
                new FairShares.Share(Tenant.of("much"), 2, 0, true)));
    TestingTurnJob first = enter("any");
    TestingTurnJob much = enter("much", Priority.HIGH, 1);
    TestingTurnJob little = enter("little");
    end(first);
    assertRun(little);
    assertWait(much);
  }

  @Test
  void aTenantWithSeveralPlacesGivesOneHalfAMinuteAfterAJobsStart() {
    TestingTurnJob old = enter("busy");
    TestingTurnJob young = enter("busy");
    TestingTurnJob waits = enter("other", Priority.HIGH, 1);
    pass(29);
    assertThat(young.isParking()).isFalse();
    pass(1);
    assertThat(young.isParking()).isTrue();
    assertThat(young.isWithSound()).isTrue();
    assertThat(young.why()).contains("other");
    assertThat(old.isParking()).isFalse();

    park(young);
    assertRun(old, waits);
    assertWait(young);
    for (int minutes = 0; minutes < 60; minutes++) {
      pass(60);
    }
    assertRun(old, waits);
    assertThat(List.of(old, waits)).noneMatch(TestingTurnJob::isParking);
    end(waits);
    assertRun(young);
  }

  @Test
  void thePlaceOfAParkedJobIsForTheOneThatItIsParkedFor() {
    TestingTurnJob usual = enter("a");
    TestingTurnJob other = enter("b");
    TestingTurnJob waits = enter("b");
    TestingTurnJob urgent = enter("a", Priority.HIGH, 1);
    assertThat(usual.isParking()).as("for priority at once").isTrue();
    TestingTurnJob fresh = enter("c");
    park(usual);
    assertRun(other, urgent);
    assertWait(fresh, waits, usual);
  }

  @Test
  void aJobThatIsTooLargeLetsSmallerOnesPassForAMinute() {
    turns = turns(10);
    TestingTurnJob first = enter("a", Priority.NORMAL, 60);
    TestingTurnJob large = enter("a", Priority.NORMAL, 70);
    TestingTurnJob small = enter("a", Priority.NORMAL, 10);
    assertRun(first, small);
    assertWait(large);
    pass(59);
    TestingTurnJob inTime = enter("a", Priority.NORMAL, 10);
    assertRun(inTime);
    pass(1);
    TestingTurnJob late = enter("a", Priority.NORMAL, 10);
    assertWait(large, late);
    end(small);
    assertWait(large, late);
    end(first);
    assertRun(large, late);
  }

  @Test
  void theMinuteIsThatOfTheJobWhoseTurnItIs() {
    turns = turns(10);
    TestingTurnJob first = enter("a", Priority.NORMAL, 60);
    TestingTurnJob large = enter("a", Priority.NORMAL, 50);
    pass(60);
    end(first);
    assertRun(large);
    TestingTurnJob next = enter("a", Priority.NORMAL, 60);
    TestingTurnJob small = enter("a", Priority.NORMAL, 10);
    assertWait(next);
    assertRun(small);
  }

  @Test
  void whatLacksDiskAsWellHasNoMinuteAndLeavesItToTheNextThatIsTooLarge() {
    turns = turns(10);
    TestingTurnJob first = enter("a", Priority.NORMAL, 60);
    TestingTurnJob large = enter("a", Priority.NORMAL, 70);
    full.add(large.output());
    pass(1);
    TestingTurnJob next = enter("a", Priority.NORMAL, 80);
    pass(60);
    TestingTurnJob small = enter("a", Priority.NORMAL, 10);
    assertWait(large, next, small);
    end(first);
    assertRun(next, small);
    assertWait(large);
  }

  @Test
  void noJobStartsWhereCardsHaveNoRoomForIt() {
    cardsTake = 1;
    TestingTurnJob first = enter("a");
    TestingTurnJob second = enter("a");
    assertRun(first);
    assertWait(second);
    cardsTake = 2;
    pass(1);
    assertRun(second);
  }
}
