package dev.fairlead.media.settings;

/**
 * Where FFmpeg finds a device.
 *
 * @param api {@code cuda} or {@code vaapi}
 * @param device its number among CUDA devices, or its render node
 */
public record HardwareAddress(String api, String device) {
  public static final String CUDA = "cuda";
  public static final String VAAPI = "vaapi";

  @Override
  public String toString() {
    return api + " " + device;
  }
}
