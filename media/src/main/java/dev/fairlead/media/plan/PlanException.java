package dev.fairlead.media.plan;

/** The request and the source do not go together; the message says why and what to do. */
public final class PlanException extends RuntimeException {
  public PlanException(String message) {
    super(message);
  }
}
