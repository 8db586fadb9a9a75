package dev.fairlead.media.source;

import java.util.HexFormat;

/**
 * How the display looked on which HDR video was mastered, and how bright the video gets.
 *
 * @param display the 24 bytes of an {@code mdcv} box in hexadecimal, or empty
 * @param light the 4 bytes of a {@code clli} box in hexadecimal, or empty
 */
public record Mastering(String display, String light) {
  private static final int DISPLAY_BYTES = 24;
  private static final int LIGHT_BYTES = 4;

  public Mastering {
    check("mdcv", display, DISPLAY_BYTES);
    check("clli", light, LIGHT_BYTES);
  }

  private static void check(String box, String hex, int bytes) {
    if (!hex.isEmpty() && HexFormat.of().parseHex(hex).length != bytes) {
      throw new IllegalArgumentException("%s has %d bytes, not %s".formatted(box, bytes, hex));
    }
  }

  public static Mastering of(byte[] display, byte[] light) {
    return new Mastering(HexFormat.of().formatHex(display), HexFormat.of().formatHex(light));
  }

  public static Mastering none() {
    return new Mastering("", "");
  }

  /** This, and from elsewhere what it does not say. */
  public Mastering or(Mastering other) {
    return new Mastering(
        display.isEmpty() ? other.display : display, light.isEmpty() ? other.light : light);
  }

  public boolean isWhole() {
    return !display.isEmpty() && !light.isEmpty();
  }

  public byte[] displayBytes() {
    return HexFormat.of().parseHex(display);
  }

  public byte[] lightBytes() {
    return HexFormat.of().parseHex(light);
  }
}
