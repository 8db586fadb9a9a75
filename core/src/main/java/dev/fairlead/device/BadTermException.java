package dev.fairlead.device;

/** A term of a device selection that cannot be understood; says which, and what is allowed. */
public final class BadTermException extends IllegalArgumentException {
  public BadTermException(String message) {
    super(message);
  }
}
