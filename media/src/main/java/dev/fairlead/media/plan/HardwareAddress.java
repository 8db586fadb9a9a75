package dev.fairlead.media.plan;

/**
 * Where FFmpeg finds a device.
 *
 * @param api {@code cuda} or {@code vaapi}
 * @param device its number among CUDA devices, or its render node
 */
public record HardwareAddress(String api, String device) {
  @Override
  public String toString() {
    return api + " " + device;
  }
}
