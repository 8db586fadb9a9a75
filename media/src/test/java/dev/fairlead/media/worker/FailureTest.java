package dev.fairlead.media.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.av.AvException;
import dev.fairlead.media.decode.HardwareFailed;
import dev.fairlead.media.settings.HardwareAddress;
import dev.fairlead.media.wire.Failure;
import org.junit.jupiter.api.Test;

/** Whose fault a failure is. */
class FailureTest {
  @Test
  void aDeviceThatStopsDecodingCostsTheWorkerAndNotTheJob() {
    AvException cause = new AvException("decoding on cuda 0: unspecified launch failure");
    HardwareAddress card = new HardwareAddress(HardwareAddress.CUDA, "0");
    assertThat(WorkerSession.failure(new HardwareFailed(card, cause)))
        .isEqualTo(
            new Failure(Failure.Kind.CRASHED, "cuda 0 decodes no more: " + cause.getMessage()));
    assertThat(WorkerSession.failure(cause).kind()).isEqualTo(Failure.Kind.DEVICE);
  }
}
