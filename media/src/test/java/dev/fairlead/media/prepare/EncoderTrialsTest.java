package dev.fairlead.media.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.media.codec.CodecConfig;
import dev.fairlead.media.settings.EncoderKind;
import dev.fairlead.media.settings.ScalingTarget;
import dev.fairlead.media.settings.VideoSettings;
import dev.fairlead.media.source.Colour;
import dev.fairlead.media.source.Rational;
import dev.fairlead.media.supervise.FailedException;
import dev.fairlead.media.wire.Failure;
import dev.fairlead.pool.DevicePool;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EncoderTrialsTest {
  private static final VideoSettings SETTINGS =
      new VideoSettings(
          EncoderKind.SVT_AV1,
          "",
          new ScalingTarget(64, 64, 8, false),
          new Rational(1, 30),
          new Rational(30, 1),
          13,
          30,
          0,
          Colour.unspecified());

  private final Device lane = Device.of(DeviceKind.CPU, 0);
  private final DevicePool pool = DevicePool.of(List.of(lane));
  private final EncoderTrials trials = new EncoderTrials();
  private final AtomicInteger ran = new AtomicInteger();

  @AfterEach
  void nothingIsLeftOnTheDevice() {
    assertThat(pool.snapshot().totals().outstanding()).isZero();
    assertThat(pool.snapshot().totals().completed()).isZero();
    assertThat(pool.snapshot().totals().failed()).isZero();
    pool.close();
  }

  private CodecConfig.Picture promise() {
    ran.incrementAndGet();
    assertThat(pool.snapshot().totals().outstanding()).as("its lease").isEqualTo(1);
    return TestingPromises.picture();
  }

  private CodecConfig.Picture tried(VideoSettings settings) throws InterruptedException {
    return trials.of(pool, lane, "1", settings, this::promise);
  }

  @Test
  void aTrialRunsUnderALeaseAndItsPromiseIsRemembered() throws Exception {
    CodecConfig.Picture first = tried(SETTINGS);

    assertThat(tried(SETTINGS)).isSameAs(first);
    assertThat(ran).hasValue(1);
  }

  @Test
  void anEncoderThatIsToldAnythingElseIsTriedAnew() throws Exception {
    tried(SETTINGS);
    tried(SETTINGS.withRate(new Rational(1, 60), new Rational(60, 1)));
    trials.of(pool, lane, "another version", SETTINGS, this::promise);

    assertThat(ran).hasValue(3);
  }

  @Test
  void aRefusalIsNotRemembered() throws Exception {
    for (Failure.Kind kind :
        List.of(Failure.Kind.BUSY, Failure.Kind.OUT_OF_MEMORY, Failure.Kind.DEVICE)) {
      assertThatThrownBy(() ->
              trials.of(
                  pool,
                  lane,
                  "1",
                  SETTINGS,
                  () -> {
                    throw new FailedException(new Failure(kind, "not now"));
                  }))
          .isInstanceOf(FailedException.class)
          .hasMessage("not now");
    }
    tried(SETTINGS);

    assertThat(ran).hasValue(1);
  }

  @Test
  void aDeviceThatHasLeftIsTriedWithoutALease() throws Exception {
    Device other = Device.of(DeviceKind.CPU, 7);

    assertThat(trials.of(pool, other, "1", SETTINGS, TestingPromises::picture)).isNotNull();
  }
}
