package dev.fairlead.media.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.host.StartOrder.Job;
import dev.fairlead.media.host.StartOrder.Standing;
import dev.fairlead.media.records.JobId;
import dev.fairlead.policy.FairShares;
import dev.fairlead.policy.Priority;
import dev.fairlead.policy.Tenant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StartOrderTest {
  private final List<Job> jobs = new ArrayList<>();
  private FairShares shares = FairShares.NONE;

  private Job add(String tenant, double weight, Priority priority, Standing standing) {
    Job job = new Job(JobId.create(), new Tenant(tenant, weight), priority, standing);
    jobs.add(job);
    return job;
  }

  private Job add(String tenant, Standing standing) {
    return add(tenant, 1, Priority.NORMAL, standing);
  }

  private StartOrder order() {
    return new StartOrder(jobs, shares);
  }

  private static FairShares.Share had(String tenant, double time, boolean present) {
    return new FairShares.Share(Tenant.of(tenant), time, 0, present);
  }

  @Test
  void withinATenantTheMoreUrgentGoesFirstThenTheOlder() {
    Job old = add("a", Standing.WAITING);
    Job young = add("a", Standing.WAITING);
    Job urgent = add("a", 1, Priority.HIGH, Standing.WAITING);
    assertThat(order().waiting()).containsExactly(urgent, old, young);
  }

  @Test
  void ofTenantsWithoutAPlaceTheOneThatHasHadLeastGoesFirstHoweverUrgentOthersAre() {
    shares = new FairShares(7, List.of(had("much", 9, true), had("little", 8, true)));
    Job urgent = add("much", 1, Priority.HIGH, Standing.WAITING);
    Job usual = add("little", Standing.WAITING);
    Job fresh = add("new", Standing.WAITING);
    assertThat(order().waiting()).containsExactly(fresh, usual, urgent);
  }

  @Test
  void anAbsentTenantReturnsWithTheLeastOfThoseThatArePresent() {
    shares = new FairShares(7, List.of(had("absent", 1, false), had("present", 6, true)));
    Job back = add("absent", Standing.WAITING);
    Job here = add("present", Standing.WAITING);
    assertThat(order().waiting()).containsExactly(here, back);
  }

  @Test
  void aTenantWithoutAPlaceGoesBeforeOneThatHasHadLess() {
    shares = new FairShares(0, List.of(had("holds", 1, true), had("none", 50, true)));
    add("holds", Standing.RUNNING);
    Job more = add("holds", Standing.WAITING);
    Job first = add("none", Standing.WAITING);
    assertThat(order().waiting()).containsExactly(first, more);
  }

  @Test
  void placesAreByWeight() {
    add("heavy", 3, Priority.NORMAL, Standing.RUNNING);
    add("light", Standing.RUNNING);
    Job light = add("light", Standing.WAITING);
    Job heavy = add("heavy", 3, Priority.NORMAL, Standing.WAITING);
    assertThat(order().waiting()).containsExactly(heavy, light);
  }

  @Test
  void aPlaceThatIsGivenUpIsForTheJobThatItIsGivenUpFor() {
    Job first = add("a", Standing.WAITING);
    Job next = add("b", Standing.NEXT);
    assertThat(order().waiting()).containsExactly(next, first);
  }

  @Test
  void aTenantWithSeveralPlacesGivesOneToATenantWithoutAny() {
    add("a", Standing.RUNNING);
    Job young = add("a", Standing.RUNNING);
    Job waits = add("b", Standing.WAITING);
    assertThat(order().toPark(waits)).hasValue(young);
  }

  @Test
  void theLeastUrgentGivesItsPlace() {
    Job low = add("a", 1, Priority.LOW, Standing.RUNNING);
    add("a", Standing.RUNNING);
    Job waits = add("b", Standing.WAITING);
    assertThat(order().toPark(waits)).hasValue(low);
  }

  @Test
  void noJobIsParkedForAnotherTenantSoonAfterItsStart() {
    add("a", Standing.STARTED);
    add("a", Standing.STARTED);
    assertNoneParksFor(add("b", Standing.WAITING));
    Job urgent = add("a", 1, Priority.HIGH, Standing.WAITING);
    assertThat(order().toPark(urgent)).isPresent();
  }

  @Test
  void theOnlyPlaceOfATenantStaysItsOwnAlsoForAnUrgentJob() {
    add("a", 1, Priority.LOW, Standing.RUNNING);
    assertNoneParksFor(add("b", 100, Priority.HIGH, Standing.WAITING));
  }

  @Test
  void aPlaceThatWouldGoBackStays() {
    add("a", Standing.RUNNING);
    add("a", Standing.RUNNING);
    add("b", Standing.RUNNING);
    assertNoneParksFor(add("b", Standing.WAITING));
  }

  @Test
  void placesThatAreGivenUpCountForTheTenantThatGetsThem() {
    add("a", Standing.RUNNING);
    add("a", Standing.RUNNING);
    add("a", Standing.PARKING);
    add("b", Standing.NEXT);
    assertNoneParksFor(add("b", Standing.WAITING));
  }

  @Test
  void onlyALessUrgentJobOfTheSameTenantIsParkedForAnUrgentOne() {
    add("a", Standing.RUNNING);
    add("a", 1, Priority.HIGH, Standing.RUNNING);
    Job usual = add("b", Standing.RUNNING);
    add("b", 1, Priority.HIGH, Standing.RUNNING);
    Job urgent = add("b", 1, Priority.HIGH, Standing.WAITING);
    assertThat(order().toPark(urgent)).hasValue(usual);
  }

  private void assertNoneParksFor(Job waits) {
    assertThat(order().toPark(waits)).isEmpty();
  }
}
