package dev.fairlead.media.decode;

import dev.fairlead.media.av.AvException;

/**
 * A device did not decode what it was given. Whether the source is to blame is known only when it
 * has been decoded in software.
 */
public final class HardwareFailed extends RuntimeException {
  public HardwareFailed(AvException cause) {
    super(inSoftware(cause), cause);
  }

  static String inSoftware(AvException cause) {
    return "The job decodes in software: " + cause.getMessage();
  }
}
