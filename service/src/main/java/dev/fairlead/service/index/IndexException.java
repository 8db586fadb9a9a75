package dev.fairlead.service.index;

/** The index cannot be read or written; what it says is in the job logs as well. */
public final class IndexException extends RuntimeException {
  private static final long serialVersionUID = 1;

  IndexException(String message, Throwable cause) {
    super(message, cause);
  }
}
