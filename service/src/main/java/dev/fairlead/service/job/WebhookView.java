package dev.fairlead.service.job;

import dev.fairlead.service.index.DeliveryTable;
import java.util.Optional;

/**
 * How far others are told of a job's end.
 *
 * @param attempts how often that was tried
 * @param lastStatus of HTTP that the last answer had, if there was one
 * @param lastTrouble why there was none
 */
public record WebhookView(
    State state, int attempts, Optional<Integer> lastStatus, Optional<String> lastTrouble) {
  static final WebhookView WAITING =
      new WebhookView(State.WAITING, 0, Optional.empty(), Optional.empty());

  /** How far it is. */
  public enum State {
    /** The job is not over. */
    WAITING,
    /** It is told, or will be once more. */
    PENDING,
    /** It was taken. */
    DELIVERED,
    /** It was not taken within a day, and is not told any more. */
    FAILED
  }

  static WebhookView of(DeliveryTable.Row row) {
    State state =
        switch (row.state()) {
          case PENDING -> State.PENDING;
          case DELIVERED -> State.DELIVERED;
          case FAILED -> State.FAILED;
        };
    DeliveryTable.Answer last = row.last();
    return new WebhookView(
        state,
        row.attempts(),
        last.status(),
        Optional.of(last.trouble()).filter(text -> !text.isEmpty()));
  }
}
