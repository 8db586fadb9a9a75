package dev.fairlead.media.choice;

import java.util.Arrays;
import java.util.Locale;

/** Where pictures are scaled for cards that encode. */
public enum FramesChoice {
  /** In a card's own memory where that was proven, else in the memory of the host. */
  AUTO,
  /** In a card's own memory; a card that cannot do so does not encode. */
  DEVICE,
  /** In the memory of the host. */
  HOST;

  /**
   * The choice of a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static FramesChoice named(String name) {
    return Arrays.stream(values())
        .filter(each -> each.toString().equals(name.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "There are no frames \"%s\"; there are auto, device and host".formatted(name)));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
