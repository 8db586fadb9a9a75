package dev.fairlead.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class TaskExceptionTest {
  private final Throwable cause = new IllegalStateException("broken");
  private final FailedAttempt first = new FailedAttempt(Device.of(DeviceKind.SIMULATED, 0), cause);
  private final FailedAttempt second = new FailedAttempt(Device.of(DeviceKind.SIMULATED, 1), cause);

  @Test
  void countsTheTriesAndSaysEachReason() {
    assertThat(new TaskException.Condemned(cause, List.of(first)))
        .hasMessage("Failed after 1 try: on simulated:0: java.lang.IllegalStateException: broken");
    assertThat(new TaskException.Condemned(cause, List.of(first, second)))
        .hasMessage(
            "Failed after 2 tries: on simulated:0: java.lang.IllegalStateException: broken; on"
                + " simulated:1: java.lang.IllegalStateException: broken");
  }
}
