package dev.fairlead.media.choice;

import dev.fairlead.device.Capability;
import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.media.settings.EncoderKind;
import dev.fairlead.media.settings.HardwareAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Which encoder a device works with. */
public final class EncoderChoice {
  private EncoderChoice() {}

  /** The encoder of a device for a codec; empty if it has none. */
  public static Optional<EncoderKind> of(Device device, String codec) {
    return Arrays.stream(EncoderKind.values())
        .filter(kind -> kind.codec().equals(codec) && serves(kind, device))
        .findFirst();
  }

  /** The codecs that a device may encode; whether it really does is tried before a job. */
  public static List<String> codecs(Device device) {
    return Arrays.stream(EncoderKind.values())
        .filter(kind -> serves(kind, device))
        .map(EncoderKind::codec)
        .distinct()
        .toList();
  }

  public static boolean serves(EncoderKind kind, Device device) {
    return switch (kind) {
      case SVT_AV1 -> isLane(device, "svt");
      case AOM_AV1 -> isLane(device, "aom");
      case OPEN_H264 -> isLane(device, "openh264");
      case NVENC_AV1, NVENC_HEVC, NVENC_H264 -> DeviceAddress.isOn(HardwareAddress.CUDA, device);
      case VAAPI_AV1, VAAPI_HEVC, VAAPI_H264 -> DeviceAddress.isOn(HardwareAddress.VAAPI, device);
    };
  }

  /** A lane of the processor that was given this encoder to work with, or none in particular. */
  private static boolean isLane(Device device, String tool) {
    boolean open =
        device.features().capabilities().stream()
            .noneMatch(capability -> capability.name().startsWith("tool:"));
    return device.kind().equals(DeviceKind.CPU)
        && (open || device.features().capabilities().contains(Capability.of("tool:" + tool)));
  }
}
