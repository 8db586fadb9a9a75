package dev.fairlead.media.supervise;

import dev.fairlead.media.wire.Failure;

/** A worker's answer was a failure, or the worker ended before it answered. */
public final class FailedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Failure failure;

  public FailedException(Failure failure) {
    super(failure.reason());
    this.failure = failure;
  }

  public Failure failure() {
    return failure;
  }
}
