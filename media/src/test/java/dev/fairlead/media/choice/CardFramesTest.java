package dev.fairlead.media.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.device.Card;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Profile;
import dev.fairlead.device.Vendor;
import dev.fairlead.media.plan.VideoCodec;
import dev.fairlead.media.plan.VideoPlan;
import dev.fairlead.media.source.Colour;
import dev.fairlead.media.source.Mastering;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which cards keep pictures in their memory. */
class CardFramesTest {
  private static final Device LANE = Device.of(DeviceKind.CPU, 0);
  private static final Device NVIDIA =
      Device.of(DeviceKind.CUDA, 1).withIdentity(DeviceId.of("GPU-1"), "GPU-1", Vendor.NVIDIA);
  private static final Device INTEL =
      Device.of(DeviceKind.ENCODER, 0)
          .withIdentity(DeviceId.of("pci-3"), "Intel", Vendor.INTEL)
          .withCard(new Card("0000:03:00.0", "/dev/dri/renderD129"));

  private final List<String> notices = new ArrayList<>();

  private CardFrames frames(FramesChoice choice, boolean proven) {
    Profile.Proven known =
        new Profile.Proven(
            new Profile.Key("0000:3b:00.0", "driver", "codecs"),
            OptionalInt.empty(),
            OptionalInt.empty(),
            proven,
            List.of());
    return new CardFrames(
        choice, Map.of(NVIDIA.id(), known, INTEL.id(), known, LANE.id(), known), notices::add);
  }

  private static VideoPlan video(int depth, boolean tonemap) {
    return new VideoPlan(
        VideoCodec.AV1, 9, depth, Colour.bt709(), false, tonemap, Mastering.none());
  }

  @ParameterizedTest
  @CsvSource({
    "AUTO,false,false",
    "AUTO,true,true",
    "DEVICE,false,true",
    "DEVICE,true,true",
    "HOST,false,false",
    "HOST,true,false"
  })
  void aCardKeepsFramesAsAskedForOrElseAsProven(FramesChoice choice, boolean proven, boolean stay) {
    CardFrames frames = frames(choice, proven);

    assertThat(frames.stayOn(NVIDIA, video(8, false))).isEqualTo(stay);
    assertThat(frames.stayOn(LANE, video(8, false))).isFalse();
    assertThat(frames.stayOn(INTEL, video(8, false))).isEqualTo(stay);
  }

  @Test
  void whatWasNotProvenStaysOnTheHost() {
    assertThat(frames(FramesChoice.AUTO, true).stayOn(NVIDIA, video(10, false))).isFalse();
    assertThat(frames(FramesChoice.AUTO, true).stayOn(NVIDIA, video(8, true))).isFalse();
    assertThat(frames(FramesChoice.DEVICE, true).stayOn(NVIDIA, video(10, false))).isTrue();
  }

  @Test
  void aCardThatFailsItsTrialCrossesTheHostUnlessItMustNot() {
    CardFrames auto = frames(FramesChoice.AUTO, true);
    assertThat(auto.giveUp(NVIDIA, "no kernels")).isTrue();
    assertThat(auto.stayOn(NVIDIA, video(8, false))).isFalse();
    assertThat(auto.giveUp(NVIDIA, "no encoder")).as("that was over the host").isFalse();
    assertThat(notices).hasSize(1).allMatch(notice -> notice.endsWith("no kernels"));

    assertThat(frames(FramesChoice.DEVICE, true).giveUp(NVIDIA, "no kernels")).isFalse();
    assertThat(frames(FramesChoice.HOST, true).giveUp(NVIDIA, "no kernels")).isFalse();
  }

  @Test
  void aChoiceIsReadByItsName() {
    assertThat(FramesChoice.named("Device")).isEqualTo(FramesChoice.DEVICE);
    assertThatThrownBy(() -> FramesChoice.named("card"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("There are no frames \"card\"; there are auto, device and host");
  }
}
