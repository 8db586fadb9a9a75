package dev.fairlead.media.supervise;

import java.util.concurrent.CompletionStage;

/**
 * A unit cannot run now: a worker starts, its chunk is decoded again, or a suspect runs alone. What
 * it holds meanwhile is for others.
 */
public final class NotReady extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient CompletionStage<Void> until;

  NotReady(String reason, CompletionStage<Void> until) {
    super(reason, null, false, false);
    this.until = until;
  }

  /** Ends when it is worth another try. */
  public CompletionStage<Void> until() {
    return until;
  }
}
