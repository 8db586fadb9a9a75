package dev.fairlead.units;

import java.util.concurrent.CompletionStage;

/**
 * Thrown by the work of a unit when it would have to wait for something on its device, say for a
 * worker that starts: the unit leaves the device to others and waits for its turn again once that
 * has come. Neither the unit nor the device has failed.
 */
public final class NotNow extends RuntimeException {
  private final transient CompletionStage<?> until;

  /**
   * @param until ends, however it does, when the unit may run; until then no device takes it
   */
  public NotNow(String reason, CompletionStage<?> until) {
    super(reason);
    this.until = until;
  }

  CompletionStage<?> until() {
    return until;
  }
}
