package dev.fairlead.compute.driver;

/**
 * What a kernel takes in one place, as far as its driver can tell.
 *
 * @param type as the program spells it, for messages
 * @param bytes the size of a value; zero where the driver cannot tell
 */
public record Parameter(Kind kind, Form form, int bytes, String type) {

  /** What may be given. */
  public enum Kind {
    BUFFER,
    LOCAL,
    VALUE,
    /** The driver cannot tell an address from a number of the same size. */
    BUFFER_OR_VALUE
  }

  /** What a value's bits mean. */
  public enum Form {
    INTEGER,
    FLOATING,
    ANY
  }

  @Override
  public String toString() {
    return type;
  }
}
