package dev.fairlead.event;

import dev.fairlead.device.Device;
import dev.fairlead.device.Fault;
import dev.fairlead.health.Health;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Explanation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Hears what happens in a pool; exporters and journals are written on it. A pool may have several,
 * see {@code DevicePool.subscribe}. Each is called on a thread of its own, one event after the
 * other, in the order in which they happened; one that blocks delays only what it is told itself. A
 * listener that throws harms nothing: its exception goes to the thread's uncaught exception
 * handler.
 *
 * <p>The events of a lease balance: it is placed, perhaps moved, and ends or is withdrawn. A gauge
 * of what is outstanding on a device goes up when a lease is placed on it or moved to it, and down
 * when it ends there, is withdrawn or is moved away.
 */
public interface PoolListener {
  /** Something that happened. Leases are numbered, so that what belongs together can be found. */
  sealed interface Event {
    /**
     * A demand was given a device, to run there now or in its queue. The explanation is there if a
     * listener asked for it and the demand did not have to wait.
     */
    record Placed(long lease, Device device, Demand demand, @Nullable Explanation explanation)
        implements Event {}

    /** A queued job was taken over by a device that had a free slot. */
    record Moved(long lease, Device from, Device to, Demand demand) implements Event {}

    /**
     * A queued job left the device without having run: it was cancelled, or the device stopped
     * serving; then it is placed anew under the same number.
     */
    record Withdrawn(long lease, Device device, Demand demand) implements Event {}

    /** A lease ended. {@code fault} is null if it succeeded; one that was unused counts nowhere. */
    record Ended(
        long lease,
        Device device,
        Demand demand,
        Duration held,
        @Nullable Fault fault,
        boolean unused)
        implements Event {}

    /** The listener was too slow: so many events of leases were not kept for it. */
    record Missed(long events) implements Event {}

    record HealthChanged(Device device, Health from, Health to, String reason) implements Event {}

    record Added(Device device, int index) implements Event {}

    record Removed(Device device, int index) implements Event {}

    /** The device takes no new work until it is resumed. */
    record Paused(Device device) implements Event {}

    record Resumed(Device device) implements Event {}

    /** The device takes no new work, and is removed once nothing is left on it. */
    record Leaving(Device device) implements Event {}

    /**
     * The device has something to give that it may not have had: it is in the pool now, which it
     * need not be yet when {@link Added} is told, a lease has ended or queued work has left, or it
     * was asked how much memory is free. For listeners that want it; of each device one such event
     * is kept until it is told.
     */
    record Freed(Device device) implements Event {}

    /** The pool is being closed, and takes nothing new. */
    record Closing() implements Event {}

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

  /** Whether the events of leases are of interest; they come by the million. */
  default boolean wantsLeases() {
    return true;
  }

  /** Whether {@link Event.Freed} is of interest. */
  default boolean wantsFreed() {
    return false;
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
