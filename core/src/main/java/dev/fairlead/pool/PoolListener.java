package dev.fairlead.pool;

import dev.fairlead.device.Device;
import dev.fairlead.device.Fault;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Explanation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Hears what happens in a pool; exporters and journals are written on it. It is called on the
 * thread that caused the event and must not block. A listener that throws harms nothing: its
 * exception goes to the thread's uncaught exception handler.
 */
public interface PoolListener {
  /** Something that happened. */
  sealed interface Event {
    /**
     * A demand was given a device, to run there now or in its line. The explanation is there if the
     * listener asked for it and the demand did not have to wait.
     */
    record Placed(Device device, Demand demand, @Nullable Explanation explanation)
        implements Event {}

    /** A lease ended. {@code fault} is null if it succeeded; one that was unused counts nowhere. */
    record Ended(Device device, Demand demand, Duration held, @Nullable Fault fault, boolean unused)
        implements Event {}

    record HealthChanged(Device device, Health from, Health to, String reason) implements Event {}

    record Added(Device device, int index) implements Event {}

    record Removed(Device device, int index) implements Event {}

    /** The device's context was opened anew. */
    record Rebuilt(Device device, int generation) implements Event {}

    /** A lease is held for longer than it should be. */
    record Overdue(Device device, Demand demand, String holder, Duration held) implements Event {}

    /**
     * Something failed that no caller waits for: a poll, a probe, a context that does not close.
     */
    record Trouble(Device device, String what, Throwable cause) implements Event {}
  }

  void on(Event event);

  /** Whether {@link Event.Placed} should explain itself; that costs a look at every device. */
  default boolean wantsExplanations() {
    return false;
  }

  /** Whether placed and ended leases are of interest; they come by the million. */
  default boolean wantsLeases() {
    return true;
  }

  static PoolListener none() {
    return Silent.INSTANCE;
  }

  /** Hears nothing. */
  enum Silent implements PoolListener {
    INSTANCE;

    @Override
    public void on(Event event) {}

    @Override
    public boolean wantsLeases() {
      return false;
    }
  }
}
