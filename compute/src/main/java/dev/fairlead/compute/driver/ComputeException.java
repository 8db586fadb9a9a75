package dev.fairlead.compute.driver;

import dev.fairlead.device.DeviceException;
import dev.fairlead.device.Fault;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What can go wrong on a device; each kind is a type of its own, and names whose fault it is. */
public abstract sealed class ComputeException extends DeviceException {
  private final @Nullable DriverError error;

  private ComputeException(Fault fault, String message, @Nullable DriverError error) {
    this(fault, message, error, null);
  }

  private ComputeException(
      Fault fault, String message, @Nullable DriverError error, @Nullable Throwable cause) {
    super(fault, message, cause);
    this.error = error;
  }

  /** The driver's own code and name, where it was the driver that refused. */
  public Optional<DriverError> driverError() {
    return Optional.ofNullable(error);
  }

  /** Whether the context is of no use any more, so that nothing in it can be closed one by one. */
  public boolean poisons() {
    return fault() == Fault.CONTEXT || fault() == Fault.LOST;
  }

  /** The driver refused, or the device failed. */
  public static final class DriverFailed extends ComputeException {
    public DriverFailed(Fault fault, DriverError error) {
      super(fault, error.toString(), error);
    }
  }

  /**
   * The same error again after the context was reset: the driver does not let this process use the
   * device any more.
   */
  public static final class NeedsNewProcess extends ComputeException {
    public NeedsNewProcess(DriverError error) {
      super(
          Fault.CONTEXT,
          error + ", again after its context was reset: the device needs a new process",
          error);
    }
  }

  /** The device, or the host for it, has no memory left. */
  public static final class OutOfMemory extends ComputeException {
    public OutOfMemory(String message, @Nullable DriverError error) {
      super(Fault.OUT_OF_MEMORY, message, error);
    }
  }

  /** The device takes no more users: others hold all the sessions that it has. */
  public static final class OverSessionLimit extends ComputeException {
    public OverSessionLimit(DriverError error) {
      super(Fault.BUSY, error.toString(), error);
    }
  }

  /** A program does not compile; the log is the compiler's. */
  public static final class BuildFailed extends ComputeException {
    private final String log;

    public BuildFailed(String log, DriverError error) {
      super(Fault.WORK, "The program does not compile (%s):\n%s".formatted(error, log), error);
      this.log = log;
    }

    public String log() {
      return log;
    }
  }

  /** The device does not run programs in that language. */
  public static final class WrongLanguage extends ComputeException {
    public WrongLanguage(String message) {
      super(Fault.WORK, message, null);
    }
  }

  /** A program has no kernel of that name. */
  public static final class NoSuchKernel extends ComputeException {
    public NoSuchKernel(String message, @Nullable DriverError error) {
      super(Fault.WORK, message, error);
    }
  }

  /** Arguments are not what the kernel takes: their number, kind, size or form. */
  public static final class BadArgument extends ComputeException {
    public BadArgument(String message) {
      super(Fault.WORK, message, null);
    }
  }

  /** A copy or fill goes beyond the end of a buffer. */
  public static final class BufferTooSmall extends ComputeException {
    public BufferTooSmall(String message) {
      super(Fault.WORK, message, null);
    }
  }

  /** Something was used after it had been closed. */
  public static final class Closed extends ComputeException {
    public Closed(String message) {
      super(Fault.WORK, message, null);
    }
  }

  /** Something was made in a context that is gone: its device was rebuilt or closed since. */
  public static final class StaleGeneration extends ComputeException {
    public StaleGeneration(String message) {
      super(Fault.WORK, message, null);
    }
  }

  /** The context is poisoned: it refuses everything until the device has been rebuilt. */
  public static final class Poisoned extends ComputeException {
    public Poisoned(Fault fault, String message, @Nullable DriverError error) {
      super(fault, message, error);
    }
  }

  /** Something belongs to another device than the one it was used on. */
  public static final class WrongDevice extends ComputeException {
    public WrongDevice(String message) {
      super(Fault.WORK, message, null);
    }
  }

  /** Another device, which a copy came from, has failed; the one it went to is not to blame. */
  public static final class OtherDeviceFailed extends ComputeException {
    public OtherDeviceFailed(String message, ComputeException cause) {
      super(Fault.WORK, message, cause.error, cause);
    }
  }

  /** A call was made on a thread that is none of the device's own. */
  public static final class WrongThread extends ComputeException {
    public WrongThread(String message) {
      super(Fault.WORK, message, null);
    }
  }

  /** The device works, but wrongly: what it gave back is not what was sent. */
  public static final class WrongResult extends ComputeException {
    public WrongResult(String message) {
      super(Fault.DEVICE, message, null);
    }
  }
}
