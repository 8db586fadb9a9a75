package dev.fairlead.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.job.TranscodeListener.Encoded;
import dev.fairlead.media.job.TranscodeListener.Event;
import dev.fairlead.media.records.JobId;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.policy.Tenant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The arithmetic, on events that were made up. */
class FairnessLogTest {
  private static final Device LANE = Device.of(DeviceKind.CPU, 0);
  private static final Tenant THREE = new Tenant("three", 3);
  private static final Tenant ONE = new Tenant("one", 1);
  private static final List<Tenant> BOTH = List.of(THREE, ONE);

  private final FairnessLog log = new FairnessLog();
  private final JobId first = JobId.create();
  private final JobId second = JobId.create();

  private static UnitId unit(long chunk) {
    return new UnitId("360p", chunk);
  }

  private static void start(TranscodeListener job, long chunk, double at, double offered) {
    job.on(new Event.Started(at, unit(chunk), LANE, offered));
  }

  private static void held(TranscodeListener job, long chunk, double from, double seconds) {
    start(job, chunk, from, from);
    job.on(
        new Event.Committed(
            from + seconds, unit(chunk), LANE, new Encoded(50, 1_000, from, seconds)));
  }

  @Test
  void sharesAreOfTheSecondsThatSlotsWereHeldByOneClock() {
    held(log.of(first, THREE, 0), 0, 0, 6);
    held(log.of(second, ONE, 2), 0, 0, 2); // from 2 to 4

    assertThat(log.first()).isZero();
    assertThat(log.shares(BOTH, 2)).containsExactly(entry("three", 1.0), entry("one", 0.0));
    assertThat(log.shares(BOTH, 3)).containsExactly(entry("three", 0.75), entry("one", 0.25));
    assertThat(log.shares(BOTH, 9)).containsExactly(entry("three", 0.75), entry("one", 0.25));
  }

  @Test
  void whatGoesOnCountsSinceItBeganAndWhatCameToNothingIsFree() {
    TranscodeListener three = log.of(first, THREE, 0);
    TranscodeListener one = log.of(second, ONE, 0);
    held(three, 0, 0, 3);
    start(one, 0, 3, 3);
    assertThat(log.shares(BOTH, 4)).containsEntry("one", 0.25);

    one.on(new Event.Requeued(5, unit(0), LANE, "failed"));
    assertThat(log.shares(BOTH, 5)).containsEntry("one", 0.0);

    start(one, 0, 5, 3);
    one.on(new Event.Noticed(6, "The worker is gone", List.of(unit(0))));
    assertThat(log.shares(BOTH, 6)).containsEntry("one", 0.0);

    held(one, 0, 6, 1);
    one.on(new Event.Requeued(7, unit(0), LANE, "a copy that was not needed"));
    assertThat(log.shares(BOTH, 7)).containsEntry("one", 0.25);
  }

  @Test
  void theWorstMomentCountsFromWhenOnItIsLookedAt() {
    TranscodeListener three = log.of(first, THREE, 0);
    TranscodeListener one = log.of(second, ONE, 0);
    held(three, 0, 0, 12); // alone until then
    held(one, 0, 12, 3);
    held(three, 1, 15, 3);

    assertThat(log.worstDeviation(BOTH, 1, 18)).isEqualTo(0.25);
    assertThat(log.worstDeviation(BOTH, 14, 15)).isEqualTo(12.0 / 14 - 0.75, within(1e-9));
    assertThat(log.worstDeviation(BOTH, 16, 18)).isEqualTo(15.0 / 18 - 0.75, within(1e-9));
  }

  @Test
  void othersCountFromWhenTheUrgentJobCouldBeServedUntilItIs() {
    TranscodeListener busy = log.of(first, THREE, 0);
    start(busy, 0, 1, 0);
    start(busy, 1, 21, 0);
    start(busy, 2, 22, 0);
    start(busy, 3, 24, 0);
    TranscodeListener urgent = log.of(second, THREE, 20);
    start(urgent, 1, 3, 2.5); // its second chunk was taken first
    start(urgent, 0, 4, 1); // offered at 21

    assertThat(log.hasBegun(second)).isTrue();
    assertThat(log.othersStartedBefore(second)).isEqualTo(2);
  }

  @Test
  void theRoundOfTheMedianIsToldWithTheMostOthersOfAll() {
    FairnessBench.Figures told =
        FairnessBench.together(List.of(figures(0.01, 0), figures(0.04, 1), figures(0.02, 3)));

    assertThat(told.worstDeviation()).isEqualTo(0.02);
    assertThat(told.othersStartedBeforeUrgent()).isEqualTo(3);
  }

  private static FairnessBench.Figures figures(double deviation, int others) {
    return new FairnessBench.Figures(deviation, Map.of("three", 0.75), others, 2, 40, 9);
  }
}
