package dev.fairlead.media.choice;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which devices may decode. */
public final class DecodeChoice {
  private DecodeChoice() {}

  /**
   * The GPUs that may decode, of which the first does; none for the processor.
   *
   * @param selected the devices that may
   * @param named {@code cpu}, or the label or id of one of them; null for all that are GPUs
   * @throws IllegalArgumentException if it is none of them
   */
  public static List<Device> of(List<Device> selected, @Nullable String named) {
    if (named == null) {
      return selected.stream().filter(DecodeChoice::isGpu).toList();
    }
    if (named.equals(DeviceKind.CPU.toString())) {
      return List.of();
    }
    Device device =
        selected.stream()
            .filter(each -> each.label().equals(named) || each.id().value().equals(named))
            .findFirst()
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "%s is not among the selected devices %s; name one of them, or cpu"
                        .formatted(named, selected)));
    return Optional.of(device).filter(DecodeChoice::isGpu).stream().toList();
  }

  private static boolean isGpu(Device device) {
    return DeviceAddress.of(device).isPresent();
  }
}
