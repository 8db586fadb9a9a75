package dev.fairlead.media.choice;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.Profile;
import dev.fairlead.media.plan.VideoPlan;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Which cards scale pictures in their own memory and encode them from there. Lanes of the processor
 * never do. Thread-safe.
 */
public final class CardFrames {
  /** What is proven is proven for pictures of 8 bits. */
  private static final int PROVEN_DEPTH = 8;

  private final FramesChoice choice;
  private final Map<DeviceId, Profile.Proven> proven;
  private final Consumer<String> notices;
  private final Set<DeviceId> unable = ConcurrentHashMap.newKeySet();

  /**
   * As asked for.
   *
   * @param notices takes cards on which it does not work though it was proven
   */
  public CardFrames(
      FramesChoice choice, Map<DeviceId, Profile.Proven> proven, Consumer<String> notices) {
    this.choice = choice;
    this.proven = Map.copyOf(proven);
    this.notices = notices;
  }

  /** Whether a device keeps the pictures of a plan in its memory. */
  public boolean stayOn(Device device, VideoPlan video) {
    return DeviceAddress.of(device).isPresent()
        && switch (choice) {
          case HOST -> false;
          case DEVICE -> true;
          case AUTO -> isProven(device) && video.depth() == PROVEN_DEPTH && !video.tonemap();
        };
  }

  private boolean isProven(Device device) {
    Profile.Proven known = proven.get(device.id());
    return known != null && known.deviceFrames() && !unable.contains(device.id());
  }

  /**
   * A trial in the card's memory has failed.
   *
   * @return whether to try again over the host
   */
  public boolean giveUp(Device device, String reason) {
    boolean again = choice == FramesChoice.AUTO && isProven(device) && unable.add(device.id());
    if (again) {
      notices.accept(
          "Frames of %s cross the host, though its profile says otherwise: %s"
              .formatted(device, reason));
    }
    return again;
  }
}
