package dev.fairlead.media.settings;

/**
 * The size and format in which a rung is encoded.
 *
 * @param depth 8 or 10 bits per sample
 * @param tonemap whether HDR becomes SDR
 */
public record ScalingTarget(int width, int height, int depth, boolean tonemap) {
  public String pixelFormat() {
    return depth > 8 ? "yuv420p10le" : "yuv420p";
  }
}
