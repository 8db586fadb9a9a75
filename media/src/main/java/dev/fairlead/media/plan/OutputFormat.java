package dev.fairlead.media.plan;

/** What is written. */
public enum OutputFormat {
  HLS,
  MP4,
  BOTH;

  public boolean hasHls() {
    return this != MP4;
  }

  public boolean hasMp4() {
    return this != HLS;
  }
}
