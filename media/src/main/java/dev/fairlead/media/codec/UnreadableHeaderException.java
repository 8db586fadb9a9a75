package dev.fairlead.media.codec;

/** The header of an encoded stream is truncated, or is none. */
public final class UnreadableHeaderException extends IllegalArgumentException {
  public UnreadableHeaderException(String message) {
    super(message);
  }
}
