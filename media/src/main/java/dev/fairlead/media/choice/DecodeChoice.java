package dev.fairlead.media.choice;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.Engine;
import dev.fairlead.media.plan.Pumps;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which device decodes. */
public final class DecodeChoice {
  private DecodeChoice() {}

  /**
   * The GPU to decode on; empty for the processor.
   *
   * @param selected the devices that may
   * @param named {@code cpu}, or the label or id of one of them; null for the first that is a GPU
   * @throws IllegalArgumentException if it is none of them
   */
  public static Optional<Device> of(List<Device> selected, @Nullable String named) {
    if (named == null) {
      return selected.stream().filter(DecodeChoice::isGpu).findFirst();
    }
    if (named.equals(DeviceKind.CPU.toString())) {
      return Optional.empty();
    }
    Device device =
        selected.stream()
            .filter(each -> each.label().equals(named) || each.id().value().equals(named))
            .findFirst()
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "%s is not among the selected devices %s; name one of them, or cpu"
                        .formatted(named, selected)));
    return Optional.of(device).filter(DecodeChoice::isGpu);
  }

  /** A card that decodes has so many sessions at a time as its decoders take. */
  public static Pumps pumps(Pumps asked, Device decoder) {
    return asked.atMost(decoder.slots(Engine.DECODE));
  }

  private static boolean isGpu(Device device) {
    return DeviceAddress.of(device).isPresent();
  }
}
