package dev.fairlead.media.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.plan.Memory;
import dev.fairlead.media.plan.Pumps;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.source.Colour;
import dev.fairlead.media.source.Mastering;
import dev.fairlead.media.source.MediaInfo;
import dev.fairlead.media.source.Rational;
import dev.fairlead.media.source.Turn;
import dev.fairlead.media.source.VideoTrack;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AdmissionTest {
  private static final TranscodeRequest REQUEST =
      TranscodeRequest.of(Path.of("in.mp4"), Path.of("out"));
  private static final Pumps FOUR = new Pumps(1, 4, 8);

  private static TranscodePlan plan(int width, int height, TranscodeRequest request) {
    VideoTrack video =
        new VideoTrack(
            0,
            "h264",
            width,
            height,
            new Rational(1, 1),
            Turn.NONE,
            new Rational(1, 1_000),
            new Rational(30, 1),
            0,
            60_000,
            8,
            Colour.unspecified(),
            false,
            Mastering.none(),
            12);
    return TranscodePlan.of(new MediaInfo("mov", 60, 1_000, video, List.of(), List.of()), request);
  }

  private static List<Device> lanes(int count) {
    return IntStream.range(0, count).mapToObj(n -> Device.of(DeviceKind.CPU, n)).toList();
  }

  /** What an admission takes by the estimate it was made by. */
  private static long bytes(Memory memory, Admission made) {
    return memory.processes()
        + made.pumps().most() * memory.pump()
        + made.devices().size() * memory.lane()
        + made.room().bytes();
  }

  @Test
  void withMemoryEnoughEverybodyWorks() {
    Admission made = Admission.of(plan(1920, 1080, REQUEST), lanes(4), FOUR, 1L << 40);
    assertThat(made.devices()).hasSize(4);
    assertThat(made.pumps()).isEqualTo(FOUR);
    assertThat(made.isScarce()).isFalse();
  }

  @Test
  void cardsHaveRoomForAChunkEachOfTheirEncoders() {
    TranscodePlan plan = plan(1920, 1080, REQUEST);
    List<Device> cards =
        IntStream.range(0, 4).mapToObj(n -> Device.of(DeviceKind.CUDA, n).withSlots(2)).toList();

    assertThat(Admission.of(plan, cards, FOUR, 1L << 40).room().chunks()).isEqualTo(9);
    Memory memory = plan.memory();
    long scarce = memory.least(8 * memory.deviceLane()) + memory.chunk();
    assertThat(Admission.of(plan, cards, FOUR, scarce).room().bytes())
        .isEqualTo(2 * memory.chunk());
  }

  @Test
  void furtherPumpsAreGivenUpBeforeLanesAre() {
    TranscodePlan plan = plan(1920, 1080, REQUEST);
    Memory memory = plan.memory();
    Admission made =
        Admission.of(plan, lanes(4), FOUR, memory.least(4 * memory.lane()) + memory.chunk());
    assertThat(made.devices()).hasSize(4);
    assertThat(made.pumps().most()).isEqualTo(1);
    assertThat(made.room().bytes()).isEqualTo(2 * memory.chunk());
  }

  @Test
  void lanesAreLeftOutUntilTheRestFits() {
    TranscodePlan plan = plan(1920, 1080, REQUEST);
    Memory memory = plan.memory();
    Admission made = Admission.of(plan, lanes(4), FOUR, memory.least(3 * memory.lane()) - 1);
    assertThat(made.devices()).isEqualTo(lanes(2));
    assertThat(made.isScarce()).isTrue();
    assertThat(made.reason()).endsWith("GiB may be used, so 2 of 4 lanes encode");
  }

  @Test
  void whatFitsNowhereIsRefusedWithTheFigure() {
    TranscodePlan unasked = plan(7680, 4320, REQUEST);
    long least = unasked.memory().least(unasked.memory().lane());
    assertThatThrownBy(() -> Admission.of(unasked, lanes(4), FOUR, least - 1))
        .isInstanceOf(TranscodeException.TooLarge.class)
        .hasFieldOrPropertyWithValue("boundByRequest", false)
        .hasMessageContaining("needs " + least + " bytes of memory")
        .hasMessageContaining("allow more memory, or choose smaller rungs");
    TranscodePlan asked = plan(7680, 4320, REQUEST.withMemoryBytes(1 << 30));
    assertThatThrownBy(() -> Admission.of(asked, lanes(1), FOUR, 1 << 30))
        .isInstanceOf(TranscodeException.TooLarge.class)
        .hasFieldOrPropertyWithValue("boundByRequest", true)
        .hasMessageContaining("1 GiB may be used; allow more memory");
    assertThat(Admission.of(unasked, lanes(4), FOUR, least).devices()).hasSize(1);
  }

  @Test
  void whereNoDeviceIsThereNothingIsRefused() {
    assertThat(Admission.of(plan(1920, 1080, REQUEST), List.of(), FOUR, 1).devices()).isEmpty();
  }

  @Test
  void whatIsAdmittedStaysWithinTheBound() {
    SplittableRandom random = new SplittableRandom(Long.getLong("fairlead.seed", 31));
    for (int round = 0; round < 2_000; round++) {
      TranscodePlan plan = plan(16 + random.nextInt(8_000), 16 + random.nextInt(5_000), REQUEST);
      Memory memory = plan.memory();
      int lanes = 1 + random.nextInt(9);
      long bound = memory.least(memory.lane()) + random.nextLong(20_000_000_000L);
      Admission made = Admission.of(plan, lanes(lanes), FOUR, bound);
      assertThat(bytes(memory, made)).isLessThanOrEqualTo(bound);
      assertThat(made.room().bytes()).isGreaterThanOrEqualTo(memory.chunk());
      assertThat(made.devices()).isNotEmpty();
    }
  }
}
