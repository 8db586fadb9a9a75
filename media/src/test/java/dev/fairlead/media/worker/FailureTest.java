package dev.fairlead.media.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.media.av.AvException;
import dev.fairlead.media.decode.HardwareFailed;
import dev.fairlead.media.wire.Failure;
import org.junit.jupiter.api.Test;

/** Whose fault a failure is. */
class FailureTest {
  @Test
  void aDeviceThatStopsDecodingCostsTheWorkerAndNotTheJob() {
    AvException cause = new AvException("decoding on cuda 0: unspecified launch failure");
    assertThat(WorkerSession.failure(new HardwareFailed(cause)))
        .isEqualTo(
            new Failure(
                Failure.Kind.CRASHED, "The job decodes in software: " + cause.getMessage()));
    assertThat(WorkerSession.failure(cause).kind()).isEqualTo(Failure.Kind.DEVICE);
  }
}
