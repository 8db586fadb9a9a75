package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.backends.cpu.CpuProvider;
import dev.fairlead.device.Card;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Profile;
import dev.fairlead.device.Vendor;
import dev.fairlead.doctor.host.Machine;
import dev.fairlead.media.worker.Codecs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a profile means for devices as they are now. */
class ProvenDevicesTest {
  private static final String ADDRESS = "0000:3b:00.0";
  private static final Device CARD =
      Device.of(DeviceKind.CUDA, 0)
          .withIdentity(DeviceId.of("GPU-5f0c"), "A card", Vendor.NVIDIA)
          .withSlots(2)
          .withCard(Card.at(ADDRESS));

  @TempDir private Path root;

  private Machine machine(String driver) throws IOException {
    Path card = Files.createDirectories(root.resolve("sys/bus/pci/devices/" + ADDRESS));
    Files.writeString(card.resolve("vendor"), "0x10de\n");
    Files.writeString(card.resolve("class"), "0x030000\n");
    Path version = Files.createDirectories(root.resolve("sys/module/nvidia")).resolve("version");
    Files.writeString(version, driver);
    return new Machine(root);
  }

  private static Profile profile(String driver, String ffmpeg) {
    return new Profile(
        List.of(
            new Profile.Proven(
                new Profile.Key(ADDRESS, driver, ffmpeg),
                OptionalInt.of(4),
                OptionalInt.empty(),
                false,
                List.of(new Profile.Codec("av1", 8, false, "it has none")))),
        List.of(),
        OptionalInt.empty());
  }

  private static int slots(ProvenDevices proven) {
    return proven
        .slotted(new Discovery(List.of(new Discovery.Found(CARD, new CpuProvider())), List.of()))
        .devices()
        .getFirst()
        .slots();
  }

  @Test
  void slotsAreThoseThatWereProvenUnderTheSameDriver() throws Exception {
    List<String> notices = new ArrayList<>();

    ProvenDevices proven =
        ProvenDevices.of(
            profile("nvidia 610.10", Codecs.usual().version()),
            List.of(CARD),
            machine("610.10"),
            notices);

    assertThat(slots(proven)).isEqualTo(4);
    assertThat(proven.notices()).isEmpty();
    assertThat(proven.proven().values())
        .singleElement()
        .satisfies(known -> assertThat(known.impossible("av1", 8)).contains("it has none"));
    assertThat(CardDetails.of(CARD, proven, machine("610.10")))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("faces", "encodes (NVENC)", "driver", "nvidia 610.10", "profile", "applies"));
  }

  @Test
  void anotherDriverOrFfmpegVoidsTheProfileAndThatIsSaid() throws Exception {
    List<String> notices = new ArrayList<>();

    ProvenDevices driver =
        ProvenDevices.of(
            profile("nvidia 610.10", Codecs.usual().version()),
            List.of(CARD),
            machine("620.5"),
            notices);
    ProvenDevices ffmpeg =
        ProvenDevices.of(
            profile("nvidia 620.5", "7.0"), List.of(CARD), machine("620.5"), new ArrayList<>());

    assertThat(slots(driver)).isEqualTo(2);
    assertThat(driver.proven()).isEmpty();
    assertThat(driver.notices())
        .containsExactly(
            "What was proven of cuda:0 is void: its driver was nvidia 610.10 and is nvidia 620.5;"
                + " 'fairlead doctor' proves it anew");
    assertThat(ffmpeg.notices().getFirst()).contains("FFmpeg was 7.0 and is ");
    assertThat(CardDetails.of(CARD, driver, machine("620.5"))).containsEntry("profile", "void");
  }
}
