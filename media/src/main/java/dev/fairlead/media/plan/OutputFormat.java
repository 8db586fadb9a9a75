package dev.fairlead.media.plan;

/** What is written. */
public enum OutputFormat {
  HLS,
  MP4,
  BOTH
}
