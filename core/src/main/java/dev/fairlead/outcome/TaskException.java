package dev.fairlead.outcome;

import dev.fairlead.device.DeviceId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Why a task has no result. */
public abstract sealed class TaskException extends RuntimeException {
  private TaskException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** It failed wherever it was tried; the message has every reason. */
  public static final class Condemned extends TaskException {
    private final transient List<FailedAttempt> attempts;

    public Condemned(Throwable cause, List<FailedAttempt> attempts) {
      super(
          "Failed after %d %s: %s"
              .formatted(
                  attempts.size(),
                  attempts.size() == 1 ? "try" : "tries",
                  attempts.stream().map(FailedAttempt::toString).collect(Collectors.joining("; "))),
          cause);
      this.attempts = List.copyOf(attempts);
    }

    public List<FailedAttempt> attempts() {
      return attempts;
    }
  }

  /** It was cancelled. */
  public static final class Cancelled extends TaskException {
    public Cancelled(String reason) {
      super(reason, null);
    }
  }

  /** It did not end by its deadline. */
  public static final class DeadlinePassed extends TaskException {
    public DeadlinePassed(Duration deadline) {
      super("Not done within %d ms: cancelled".formatted(deadline.toMillis()), null);
    }
  }

  /** So many were in flight that it was not let in within its time. */
  public static final class TooManyInFlight extends TaskException {
    public TooManyInFlight(Duration waited) {
      super(
          "Too many are in flight; none ended within %d ms: wait longer, or allow more"
              .formatted(waited.toMillis()),
          null);
    }
  }

  /** The thread that waited for an outcome was interrupted; its interrupt status is set. */
  public static final class Interrupted extends TaskException {
    public Interrupted(InterruptedException cause) {
      super("Interrupted while waiting for an outcome", cause);
    }
  }

  /** Every device that could take the unit was struck off its group. */
  public static final class GroupStruckOff extends TaskException {
    private final int group;

    public GroupStruckOff(int group, Map<DeviceId, String> reasons) {
      super(
          "No device may serve group %d any more: %s".formatted(group, new TreeMap<>(reasons)),
          null);
      this.group = group;
    }

    public int group() {
      return group;
    }
  }

  /** The service policy threw, or answered something that the device cannot take. */
  public static final class ServicePolicyFailed extends TaskException {
    public ServicePolicyFailed(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** The unit queue is closed. */
  public static final class ServiceClosed extends TaskException {
    public ServiceClosed() {
      super("The unit queue is closed", null);
    }
  }

  /** The dispatcher is closed. */
  public static final class DispatcherClosed extends TaskException {
    public DispatcherClosed() {
      super("The dispatcher is closed", null);
    }
  }
}
