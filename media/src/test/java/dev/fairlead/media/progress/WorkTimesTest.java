package dev.fairlead.media.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.media.job.TranscodeListener;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkTimesTest {
  private static final Device FAST = Device.of(DeviceKind.SIMULATED, 0);
  private static final Device SLOW = Device.of(DeviceKind.SIMULATED, 1).withWeight(0.25);

  private final WorkTimes clock = new WorkTimes();

  private void chunk(Device device, String rung, double from, double to) {
    clock.started(from);
    clock.ended(device, rung, new TranscodeListener.Encoded(60, 1, from, to - from));
  }

  @Test
  void devicesThatEndTogetherAreAtTheBound() {
    chunk(FAST, "720p", 1, 2);
    chunk(FAST, "720p", 2, 3);
    chunk(FAST, "720p", 3, 4);
    chunk(FAST, "720p", 4, 5);
    chunk(SLOW, "720p", 1, 5);
    assertThat(clock.makespanOverBound(List.of(FAST, SLOW))).isCloseTo(1, within(1e-9));
    assertThat(clock.busyShare(2)).isCloseTo(1, within(1e-9));
  }

  /** Both were busy all the time, but each with what the other does better. */
  @Test
  void aBusyFleetCanStillBeBadlyPlaced() {
    chunk(FAST, "1080p", 0, 10);
    chunk(SLOW, "1080p", 0, 1);
    chunk(FAST, "360p", 10, 11);
    chunk(SLOW, "360p", 1, 11);
    assertThat(clock.busyShare(2)).isCloseTo(1, within(1e-9));
    assertThat(clock.makespanOverBound(List.of(FAST, SLOW))).isCloseTo(5.5, within(1e-9));
  }

  @Test
  void aDeviceThatWasLeftIdleCounts() {
    for (int chunk = 0; chunk < 5; chunk++) {
      chunk(FAST, "720p", chunk, chunk + 1.0);
    }
    assertThat(clock.makespanOverBound(List.of(FAST, SLOW))).isCloseTo(5 / 4.0, within(1e-9));
  }

  @Test
  void nothingDoneIsNothingLost() {
    assertThat(clock.makespanOverBound(List.of(FAST))).isEqualTo(1);
    assertThat(clock.busyShare(1)).isZero();
  }
}
