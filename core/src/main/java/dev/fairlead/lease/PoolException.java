package dev.fairlead.lease;

import dev.fairlead.device.Device;
import dev.fairlead.device.Timespan;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What can go wrong between a caller and the pool; each kind is a type of its own. */
public abstract sealed class PoolException extends RuntimeException {
  private PoolException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Devices were looked for and none can be used. */
  public static final class NoDevices extends PoolException {
    public NoDevices(String message) {
      super(message, null);
    }
  }

  /** The list of devices to open is empty. */
  public static final class EmptySelection extends PoolException {
    public EmptySelection(String message) {
      super(message, null);
    }
  }

  /** No device of the pool has that id or ordinal. */
  public static final class UnknownDevice extends PoolException {
    public UnknownDevice(String message) {
      super(message, null);
    }
  }

  /** The index is outside the pool, or its device has been removed. */
  public static final class BadIndex extends PoolException {
    public BadIndex(String message) {
      super(message, null);
    }
  }

  /** A device with that id is in the pool already. */
  public static final class DuplicateDevice extends PoolException {
    public DuplicateDevice(String message) {
      super(message, null);
    }
  }

  /** No device can ever meet the demand. */
  public static final class Rejected extends PoolException {
    public Rejected(String message) {
      super(message, null);
    }
  }

  /** The demand waited as long as the caller allowed. */
  public static final class TimedOut extends PoolException {
    public TimedOut(String message) {
      super(message, null);
    }
  }

  /** The lease has ended, so that it can neither run work nor end again. */
  public static final class LeaseEnded extends PoolException {
    public LeaseEnded(String message) {
      super(message, null);
    }
  }

  /** The device's context was rebuilt since the lease or the handle was given. */
  public static final class StaleGeneration extends PoolException {
    private StaleGeneration(String message) {
      super(message, null);
    }

    public static StaleGeneration ofLease(Device device, int held, int now) {
      return new StaleGeneration(
          "This lease holds generation %d of %s, which was rebuilt as generation %d: lease again"
              .formatted(held, device, now));
    }

    public static StaleGeneration ofHandle(Device device, int held, int now) {
      return new StaleGeneration(
          ("This handle is of generation %d of %s, which was rebuilt as generation %d: ask the pool"
                  + " for its context again")
              .formatted(held, device, now));
    }
  }

  /** The device has no open context at present. */
  public static final class NoContext extends PoolException {
    public NoContext(Device device, String why) {
      this(device, why, null);
    }

    public NoContext(Device device, String why, @Nullable Throwable cause) {
      super("%s has no context now: %s".formatted(device, why), cause);
    }
  }

  /** The work did not complete within the watchdog's limit; its device is in quarantine. */
  public static final class WorkHung extends PoolException {
    private final transient Device device;

    public WorkHung(Device device, Duration ran, String holder) {
      super(
          "Work of %s has not completed on %s after %s; the device is in quarantine"
              .formatted(holder, device, Timespan.of(ran)),
          null);
      this.device = device;
    }

    public Device device() {
      return device;
    }
  }

  /** The placement policy threw, or answered something that is not a candidate. */
  public static final class PolicyFailed extends PoolException {
    public PolicyFailed(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** The backend has not opened the device in time. */
  public static final class DidNotOpen extends PoolException {
    public DidNotOpen(Device device, Duration waited) {
      super("%s did not open within %d ms".formatted(device, waited.toMillis()), null);
    }
  }

  /** Work on a device's own thread would have to wait for the pool, perhaps for itself. */
  public static final class WouldHang extends PoolException {
    public WouldHang(String what) {
      super(
          what
              + " on a device's own thread, inside of work or a callback, could wait for itself for"
              + " ever: do it on another thread, or give it a time limit",
          null);
    }
  }

  /** The pool is closed. */
  public static final class PoolClosed extends PoolException {
    public PoolClosed() {
      super("The pool is closed", null);
    }
  }
}
