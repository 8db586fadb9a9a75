package dev.fairlead.media.choice;

import dev.fairlead.device.Device;
import dev.fairlead.media.settings.HardwareAddress;
import dev.fairlead.media.supervise.Codecs;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Which FFmpeg works on a machine. The usual one asks drivers of NVIDIA for an interface that those
 * before {@value #NEWER} do not have; the one before it is content with {@value #OLD}.
 *
 * @param notice what people should know of it; empty if there is nothing
 */
public record CodecChoice(Codecs codecs, String notice) {
  private static final int NEWER = 610;
  private static final int OLD = 570;

  /** The choice for the devices of a pool. */
  public static CodecChoice of(List<Device> devices) {
    boolean nvidia =
        devices.stream().anyMatch(device -> DeviceAddress.isOn(HardwareAddress.CUDA, device));
    return nvidia
        ? of(NvidiaDriver.version(NvidiaDriver.root()).orElse(""), Codecs.older())
        : new CodecChoice(Codecs.usual(), "");
  }

  static CodecChoice of(String driver, Optional<Codecs> older) {
    OptionalInt major = major(driver);
    if (major.isEmpty() || major.getAsInt() >= NEWER) {
      return new CodecChoice(Codecs.usual(), "");
    }
    if (major.getAsInt() < OLD) {
      return new CodecChoice(
          Codecs.usual(),
          "NVIDIA's driver %s is too old for any FFmpeg here: cards encode with %d or newer"
              .formatted(driver, OLD));
    }
    String asked = "NVIDIA's driver %s is older than %d, which FFmpeg 8.1 asks for: ";
    return older
        .map(codecs ->
            new CodecChoice(
                codecs,
                (asked + "FFmpeg 8.0 works instead, with one SVT-AV1 encoder at a time")
                    .formatted(driver, NEWER)))
        .orElseGet(() ->
            new CodecChoice(
                Codecs.usual(),
                (asked + "cards do not encode unless -D%s names a folder with the jars of 8.0")
                    .formatted(driver, NEWER, Codecs.OLDER)));
  }

  private static OptionalInt major(String driver) {
    return driver.matches("\\d{1,6}(\\..*)?")
        ? OptionalInt.of(Integer.parseInt(driver.split("\\.", -1)[0]))
        : OptionalInt.empty();
  }
}
