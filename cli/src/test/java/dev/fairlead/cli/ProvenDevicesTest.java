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
import dev.fairlead.media.supervise.Codecs;
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
  void cardsShareTheSessionsOfTheHostAndShowHowBytesComeToThem() throws Exception {
    List<Device> cards = List.of(card(0), card(1), card(2));
    Profile profile =
        new Profile(
            cards.stream().map(ProvenDevicesTest::proven).toList(),
            List.of(
                new Profile.Pair(address(1), address(0), true, 11.25),
                new Profile.Pair(address(2), address(0), false, 3)),
            OptionalInt.of(8));

    ProvenDevices proven = ProvenDevices.of(profile, cards, machine("610.10"), new ArrayList<>());
    ProvenDevices some =
        ProvenDevices.of(
            new Profile(profile.cards().subList(0, 2), List.of(), OptionalInt.of(8)),
            cards,
            machine("610.10"),
            new ArrayList<>());

    ProvenDevices few =
        ProvenDevices.of(
            new Profile(
                List.of(proven(cards.get(0)), proven(cards.get(1)), proven(cards.get(2), 1)),
                List.of(),
                OptionalInt.of(8)),
            cards,
            machine("610.10"),
            new ArrayList<>());

    assertThat(slots(proven, cards)).containsExactly(3, 3, 2);
    assertThat(slots(few, cards)).as("what one cannot use others have").containsExactly(4, 3, 1);
    assertThat(slots(some, cards)).as("one is not proven").containsExactly(4, 4, 2);
    assertThat(proven.copies())
        .containsExactlyEntriesOf(
            Map.of(
                cards.getFirst().id(),
                "from cuda:1 straight at 11.3 GB/s and from cuda:2 over the host at 3.0 GB/s"));
  }

  private static String address(int number) {
    return "0000:%02x:00.0".formatted(0x3b + number);
  }

  private static Device card(int number) {
    return Device.of(DeviceKind.CUDA, number)
        .withIdentity(DeviceId.of("GPU-" + number), "A card", Vendor.NVIDIA)
        .withSlots(2)
        .withCard(Card.at(address(number)));
  }

  private static Profile.Proven proven(Device card) {
    return proven(card, 4);
  }

  private static Profile.Proven proven(Device card, int slots) {
    return new Profile.Proven(
        new Profile.Key(address(card.ordinal()), "nvidia 610.10", Codecs.usual().version()),
        OptionalInt.of(slots),
        OptionalInt.empty(),
        false,
        List.of());
  }

  private static List<Integer> slots(ProvenDevices proven, List<Device> devices) {
    List<Discovery.Found> found =
        devices.stream().map(each -> new Discovery.Found(each, new CpuProvider())).toList();
    return proven.slotted(new Discovery(found, List.of())).devices().stream()
        .map(Device::slots)
        .toList();
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
