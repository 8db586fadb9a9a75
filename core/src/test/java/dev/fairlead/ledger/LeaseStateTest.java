package dev.fairlead.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Fault;
import org.junit.jupiter.api.Test;

class LeaseStateTest {
  private static final int THREAD = LeaseState.first(false);
  private static final int JOB = LeaseState.first(true);

  @Test
  void aJobHasToBeginAndAThreadHasBegun() {
    assertThat(LeaseState.isJob(JOB)).isTrue();
    assertThat(LeaseState.mayBeWithdrawn(JOB)).isTrue();
    assertThat(LeaseState.mayEnd(JOB)).isFalse();
    assertThat(LeaseState.mayBeWithdrawn(JOB | LeaseState.BEGUN)).isFalse();
    assertThat(LeaseState.isJob(THREAD)).isFalse();
    assertThat(LeaseState.mayBeWithdrawn(THREAD)).isFalse();
    assertThat(LeaseState.mayEnd(THREAD)).isTrue();
  }

  @Test
  void whatIsWithdrawnIsSettledAndNeverEndsAgain() {
    int withdrawn = LeaseState.withdrawn(JOB);
    assertThat(LeaseState.isEnded(withdrawn)).isTrue();
    assertThat(LeaseState.isSettled(withdrawn)).isTrue();
    assertThat(LeaseState.mayEnd(withdrawn | LeaseState.BEGUN)).isFalse();
    assertThat(LeaseState.mayBeWithdrawn(withdrawn)).isFalse();
  }

  @Test
  void anEndWaitsForTheLastCall() {
    int calls = LeaseState.callStarted(LeaseState.callStarted(THREAD));
    int ended = LeaseState.ended(calls, null, false);
    assertThat(LeaseState.isEnded(ended)).isTrue();
    assertThat(LeaseState.isSettled(ended)).isFalse();
    int one = LeaseState.callEnded(ended, true);
    assertThat(LeaseState.isSettled(one)).isFalse();
    assertThat(LeaseState.isAtRest(one)).isFalse();
    int none = LeaseState.callEnded(one, true);
    assertThat(LeaseState.isSettled(none)).isTrue();
    assertThat(LeaseState.isAtRest(none)).isTrue();
    assertThat(LeaseState.fault(none)).isNull();
  }

  @Test
  void theWorstFaultBeforeTheEndIsKept() {
    int failed = LeaseState.failed(LeaseState.failed(THREAD, Fault.CONTEXT), Fault.WORK);
    assertThat(LeaseState.noted(failed)).isEqualTo(Fault.CONTEXT);
    int ended = LeaseState.ended(failed, LeaseState.noted(failed), false);
    assertThat(LeaseState.fault(LeaseState.failed(ended, Fault.LOST))).isEqualTo(Fault.CONTEXT);
  }

  @Test
  void workThatHasThrownHasNotRunWell() {
    int ran = LeaseState.callEnded(LeaseState.callStarted(THREAD), true);
    assertThat(LeaseState.ranWell(THREAD)).isFalse();
    assertThat(LeaseState.ranWell(ran)).isTrue();
    assertThat(LeaseState.ranWell(LeaseState.failed(ran, Fault.WORK))).isFalse();
  }

  @Test
  void whatIsGivenUpIsAFaultOfTheContextWhateverWasSaidBefore() {
    int succeeded = LeaseState.ended(LeaseState.callStarted(THREAD), null, false);
    int given = LeaseState.givenUp(succeeded);
    assertThat(LeaseState.fault(given)).isEqualTo(Fault.CONTEXT);
    assertThat(LeaseState.isSettled(given)).isTrue();
    assertThat(LeaseState.isSettled(LeaseState.callEnded(given, true))).isTrue();
  }

  @Test
  void aLeaseWhoseEndIsLeftToAnEventIsNeitherOpenNorAtRest() {
    int handedOver = LeaseState.handedOver(THREAD);
    assertThat(LeaseState.isOpen(handedOver)).isFalse();
    assertThat(LeaseState.isAtRest(handedOver)).isFalse();
    assertThat(LeaseState.mayEnd(handedOver)).isTrue();
  }
}
