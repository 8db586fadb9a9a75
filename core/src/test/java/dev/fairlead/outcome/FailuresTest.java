package dev.fairlead.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import org.junit.jupiter.api.Test;

/** What is remembered of failed attempts, and when work is condemned. */
class FailuresTest {
  private final Device first = Device.of(DeviceKind.SIMULATED, 0);
  private final Device second = Device.of(DeviceKind.SIMULATED, 1);
  private final Device third = Device.of(DeviceKind.SIMULATED, 2);
  private final Throwable cause = new IllegalStateException("a failure");

  @Test
  void everyDeviceThatHasFailedIsRemembered() {
    Failures two = Failures.NONE.after(first, cause).after(second, cause);
    assertThat(two.devices()).containsExactlyInAnyOrder(first.id(), second.id());
    assertThat(two.areOn(first.id())).isTrue();
    assertThat(two.areOn(second.id())).isTrue();
    assertThat(two.areOn(third.id())).isFalse();
    assertThat(two.attempts()).extracting(FailedAttempt::device).containsExactly(first, second);
  }

  @Test
  void devicesAreCountedAsLongAsOneIsLeftThatHasNotFailed() {
    Failures twiceOnOne = Failures.NONE.after(first, cause).after(first, cause);
    assertThat(twiceOnOne.areTooMany(2, true)).isFalse();
    assertThat(twiceOnOne.areTooMany(2, false)).isTrue();
    assertThat(twiceOnOne.areTooMany(3, false)).isFalse();
    assertThat(twiceOnOne.after(second, cause).areTooMany(2, true)).isTrue();
  }
}
