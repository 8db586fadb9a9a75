package dev.fairlead.media.decode;

import dev.fairlead.media.av.AvException;
import dev.fairlead.media.settings.HardwareAddress;

/**
 * A card did not decode what it was given, or does not give out what it has decoded. Whether the
 * source is to blame is known only when it has been decoded in software.
 */
public final class HardwareFailed extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient HardwareAddress card;

  public HardwareFailed(HardwareAddress card, AvException cause) {
    super("%s decodes no more: %s".formatted(card, cause.getMessage()), cause);
    this.card = card;
  }

  public HardwareAddress card() {
    return card;
  }
}
