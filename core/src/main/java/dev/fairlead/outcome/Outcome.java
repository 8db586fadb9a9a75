package dev.fairlead.outcome;

import dev.fairlead.device.Device;
import dev.fairlead.policy.Load;
import java.util.List;

/** How a task ended. */
public sealed interface Outcome<R> {
  /**
   * It ran to its end.
   *
   * @param load the load that the device was chosen on
   * @param failures tries that failed before, on other devices as a rule
   */
  record Succeeded<R>(R value, Device device, Load load, List<FailedAttempt> failures)
      implements Outcome<R> {}

  /** It failed as often as it was allowed to, or could not be placed; {@code cause} is the last. */
  record Failed<R>(Throwable cause, List<FailedAttempt> failures) implements Outcome<R> {}

  /** It was cancelled, or its dispatcher was closed, before it ended. */
  record Cancelled<R>(String reason) implements Outcome<R> {}

  default boolean isSuccess() {
    return this instanceof Succeeded;
  }

  /**
   * The value, or an exception that says why there is none: what the work threw, as it is, if it is
   * unchecked and was tried once; else a {@link TaskException} with the reason of each try.
   */
  default R orThrow() {
    return switch (this) {
      case Succeeded<R> succeeded -> succeeded.value();
      case Failed<R> failed ->
          throw switch (failed.cause()) {
            case RuntimeException unchecked when failed.failures().size() <= 1 -> unchecked;
            case Error error when failed.failures().size() <= 1 -> throw error;
            default -> new TaskException.Condemned(failed.cause(), failed.failures());
          };
      case Cancelled<R> cancelled -> throw new TaskException.Cancelled(cancelled.reason());
    };
  }
}
