package dev.fairlead.media.wire;

/** A fault that is made on purpose, so that people can rehearse what happens then. */
public enum Chaos {
  NONE,
  /** The encoder throws. */
  THROW,
  /** The encoder does not come back. */
  HANG,
  /** The encoder drops a frame and says nothing. */
  LIE,
  /** The encoder gives what is no stream. */
  GARBLE,
  /** The device has no memory left. */
  OUT_OF_MEMORY,
  /** The device is gone. */
  LOST,
  /** The process dies in native code. */
  CRASH,
  /** The process is gone from one moment to the next. */
  KILL
}
