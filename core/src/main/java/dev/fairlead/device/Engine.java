package dev.fairlead.device;

import java.util.Locale;

/**
 * A kind of unit on a card that works beside the others: to encode takes nothing from what computes
 * there. A card may have several units of a kind, and one session cannot use more than one of them.
 */
public enum Engine {
  COMPUTE,
  ENCODE,
  DECODE;

  /**
   * How much work keeps so many units busy: one more, for while a session is opened, ends or waits,
   * another one works.
   */
  static int slots(int units) {
    if (units < 1) {
      throw new IllegalArgumentException("units is less than one: " + units);
    }
    return units + 1;
  }

  /** The name of the resource that counts its slots. */
  String resource() {
    return name().toLowerCase(Locale.ROOT);
  }
}
