package dev.fairlead.media.job;

/**
 * What a caller can do about a {@link TranscodeException}. A program that has words of its own for
 * it, such as names of options, puts them in the place of {@link #toString}.
 */
public enum Remedy {
  /** Ask for the same again; it goes on from where it stopped. */
  SAME_REQUEST("; the same request goes on from here"),
  /** Ask for a restart, which throws away what is there. */
  RESTART("; a request to restart begins again"),
  /** Choose another output, or ask for a restart. */
  OTHER_OUTPUT(". Choose another output, or restart"),
  /** Raise the bound on memory that the request has, or ask for less work. */
  RAISE_MEMORY("; allow more memory, or choose smaller rungs or fewer frames a second"),
  /** Set a bound on memory that is higher than the usual one, or ask for less work. */
  SET_MEMORY("; allow more memory, or choose smaller rungs or fewer frames a second"),
  /** Ask for another codec, or use other devices. */
  OTHER_CODEC(". Choose another codec or other devices");

  private final String words;

  Remedy(String words) {
    this.words = words;
  }

  /** How a sentence goes on that says what happened. */
  @Override
  public String toString() {
    return words;
  }
}
