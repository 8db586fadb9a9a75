package dev.fairlead.doctor.host;

import dev.fairlead.device.Card;
import dev.fairlead.device.Device;
import dev.fairlead.device.Profile;
import dev.fairlead.device.Vendor;
import dev.fairlead.media.choice.CodecChoice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The drivers through which cards encode, with their versions. */
public final class Drivers {
  /** Where systems keep the drivers of VAAPI. */
  private static final List<String> VAAPI_FOLDERS =
      List.of("/usr/lib/x86_64-linux-gnu/dri", "/usr/lib64/dri", "/usr/lib/dri");

  private static final Map<Vendor, List<String>> VAAPI_FILES =
      Map.of(
          Vendor.INTEL, List.of("iHD_drv_video.so", "i965_drv_video.so"),
          Vendor.AMD, List.of("radeonsi_drv_video.so"));

  private Drivers() {}

  /**
   * The driver of a card in words that change with it. A driver of VAAPI tells its version only to
   * what loads it, so that its file stands for it: how large it is, and when it was made.
   */
  public static String of(PciCard card, Machine machine) {
    if (card.vendor().equals(Vendor.NVIDIA)) {
      return "nvidia " + machine.nvidiaDriver().orElse("unknown");
    }
    String files =
        vaapi(card.vendor(), machine).stream()
            .map(Drivers::stamp)
            .collect(Collectors.joining(", "));
    return "%s of Linux %s%s"
        .formatted(
            card.driver().isEmpty() ? "no driver" : card.driver(),
            machine.kernel(),
            files.isEmpty() ? "" : ", " + files);
  }

  private static String stamp(Path file) {
    try {
      return "%s (%d bytes, %s)"
          .formatted(file.getFileName(), Files.size(file), Files.getLastModifiedTime(file));
    } catch (IOException gone) {
      return String.valueOf(file.getFileName());
    }
  }

  /** The files of the drivers through which VAAPI reaches cards of a vendor. */
  public static List<Path> vaapi(Vendor vendor, Machine machine) {
    List<Path> found = new ArrayList<>();
    for (String folder : VAAPI_FOLDERS) {
      for (String file : VAAPI_FILES.getOrDefault(vendor, List.of())) {
        Path path = machine.path(folder).resolve(file);
        if (Files.exists(path)) {
          found.add(path);
        }
      }
    }
    return found;
  }

  /** What a device is now, as a profile knows it; empty for what is on no card. */
  public static Optional<Profile.Key> key(Device device, Machine machine) {
    String codecs = CodecChoice.of(List.of(device)).codecs().version();
    return device.card().map(card -> key(card, device.vendor(), codecs, machine));
  }

  private static Profile.Key key(Card card, Vendor vendor, String codecs, Machine machine) {
    PciCard known =
        machine.cards().stream()
            .filter(each -> each.address().equals(card.pciAddress()))
            .findFirst()
            .orElse(new PciCard(card.pciAddress(), vendor, "", List.of()));
    return new Profile.Key(card.pciAddress(), of(known, machine), codecs);
  }
}
