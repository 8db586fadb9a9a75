package dev.fairlead.media.progress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Vendor;
import dev.fairlead.media.job.TranscodeResult;
import dev.fairlead.media.wire.Report;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.units.ServiceReport;
import dev.fairlead.units.ServiceReport.DeviceShare;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobTotalsTest {
  private final JobTotals totals = new JobTotals();

  @Test
  void saysHowManyFramesAreDecodedWhileDecodingGoesOn() {
    totals.begun(60);
    assertThat(totals.framesByNow()).isZero();

    totals.begun(60);
    totals.begun(60);
    assertThat(totals.framesByNow()).isEqualTo(120);

    totals.decoded(new Report.Decoded(155, 3, 0, 0, 1_000));
    assertThat(totals.framesByNow()).isEqualTo(155);
    assertThat(totals.frames()).isEqualTo(155);
  }

  @Test
  void aSecondPassAddsToTheFirst() {
    totals.begun(60);
    totals.decoded(new Report.Decoded(60, 1, 0, 0, 1_000));
    totals.begun(60);
    totals.begun(60);
    assertThat(totals.framesByNow()).isEqualTo(120);

    totals.decoded(new Report.Decoded(90, 2, 0, 0, 500));

    assertThat(totals.frames()).isEqualTo(150);
    assertThat(totals.leadIn()).isEqualTo(3);
    assertThat(totals.peakBytes()).isEqualTo(1_000);
  }

  @Test
  void whatADeadWorkerDecodedCountsToWithinAChunk() {
    totals.begun(60);
    totals.begun(60);
    totals.begun(60);

    totals.restarted("It was killed");
    totals.begun(60);
    totals.decoded(new Report.Decoded(90, 0, 0, 0, 1_000));

    assertThat(totals.frames()).isEqualTo(120 + 90);
  }

  @Test
  void aDeviceIsKnownByItsIdAndShownByItsLabel() throws Exception {
    Device card =
        Device.of(DeviceKind.CUDA, 0)
            .withIdentity(DeviceId.of("GPU-5f0c"), "A card", Vendor.NVIDIA);
    totals.add(
        new ServiceReport(
            List.of(new DeviceShare(card, 3, 0, 0, Duration.ofSeconds(2))), List.of()));
    try (DevicePool pool = DevicePool.open(Discovery.find("cpu:1"))) {
      assertThat(totals.devices(List.of(card), pool))
          .containsExactly(
              new TranscodeResult.DeviceResult(
                  DeviceId.of("GPU-5f0c"), "cuda:0", "A card", 3, 2, 0, "LOST"));
    }
  }
}
