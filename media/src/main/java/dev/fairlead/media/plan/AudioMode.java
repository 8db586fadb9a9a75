package dev.fairlead.media.plan;

/** What becomes of the audio tracks of a source. */
public enum AudioMode {
  /** AAC and Opus are copied, anything else is encoded as Opus. */
  AUTO,
  OPUS,
  AAC,
  /** As AUTO, and the plan notes what cannot be copied. */
  COPY,
  NONE
}
