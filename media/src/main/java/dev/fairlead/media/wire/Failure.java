package dev.fairlead.media.wire;

/** Why a worker could not do what it was commanded. */
public record Failure(Kind kind, String reason) {
  /** Whose fault it is. */
  public enum Kind {
    /** The source cannot be read or holds nothing to encode. */
    UNREADABLE,
    /** The work itself: it would fail anywhere. */
    WORK,
    DEVICE,
    /** The device takes no more encoders at present. */
    BUSY,
    OUT_OF_MEMORY,
    /** The source does not fit into the memory that may be used. */
    NO_ROOM,
    LOST,
    /** The disk is full. */
    NO_SPACE,
    IO,
    CANCELLED,
    /** The worker process ended, or has to: another one can go on. */
    CRASHED
  }
}
