package dev.fairlead.compute;

import dev.fairlead.compute.driver.ComputeDriver.Copy;
import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.device.Fault;
import dev.fairlead.policy.Priority;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A copy from another device, given to a stream of the device that it goes to. Where the driver
 * reaches the other device by itself, the bytes go straight; if not, they go over the host, in
 * pieces, so that a large buffer does not take as much of the host's memory.
 *
 * <p>It has ended when {@link #run} returns: nothing but the host orders what two devices do. The
 * current thread is one of the device that the bytes go to, and a guest in the session of the other
 * one, which is not closed meanwhile. What fails there is not the fault of the device here.
 */
final class CrossDeviceCopy {
  static final long PIECE = 16L << 20;

  private final Stream stream;
  private final DeviceBuffer from;
  private final DeviceBuffer to;

  CrossDeviceCopy(Stream stream, DeviceBuffer from, DeviceBuffer to) {
    this.stream = stream;
    this.from = from;
    this.to = to;
  }

  /** Copies; whether the bytes went straight. */
  boolean run(long fromOffset, long toOffset, long bytes) {
    AtomicBoolean straight = new AtomicBoolean();
    from.hold();
    try {
      from.session()
          .hosting(() -> {
            boolean _ =
                there(() -> {
                  from.session().requireSound();
                  return true;
                });
            Copy copy = new Copy(from.rawHandle(), fromOffset, to.rawHandle(), toOffset, bytes);
            straight.set(stream.copyAcross(from.session().driver(), to, copy));
            if (!straight.get()) {
              overHost(copy);
            }
            stream.synchronise();
          });
    } finally {
      from.letGo();
    }
    return straight.get();
  }

  /**
   * By turns through two buffers of the host: the next piece comes from there while the last one
   * still goes on its way here.
   */
  private void overHost(Copy copy) {
    long room = Math.max(1, Math.min(PIECE, copy.bytes()));
    long queue = askThere(driver -> driver.openStream(Priority.NORMAL));
    try (Half one = new Half(stream, room);
        Half other = copy.bytes() > room ? new Half(stream, room) : one) {
      Half half = one;
      for (long done = 0; done < copy.bytes(); done += room) {
        long piece = Math.min(room, copy.bytes() - done);
        long address = half.emptied();
        Copy down = new Copy(copy.from(), copy.fromOffset() + done, address, 0, piece);
        askThere(driver -> {
          driver.download(queue, down);
          driver.synchronise(queue);
          return true;
        });
        half.empty(to, copy.toOffset() + done, piece);
        half = half == one ? other : one;
      }
    } finally {
      if (from.session().poison() == null) {
        askThere(driver -> {
          driver.closeStream(queue);
          return true;
        });
      }
    }
  }

  /** One of the buffers that pieces go through. */
  private static final class Half implements AutoCloseable {
    private final Stream stream;
    private final StagingBuffer host;
    private @Nullable Event taken;

    Half(Stream stream, long bytes) {
      this.stream = stream;
      DriverSession home = stream.session();
      this.host =
          home.opened(new StagingBuffer(home, home.ask(driver -> driver.pin(bytes)), bytes));
    }

    /** Waits until the last piece has left; answers where the next one goes. */
    long emptied() {
      Event last = taken;
      if (last != null) {
        last.await();
        last.close();
        taken = null;
      }
      return host.address();
    }

    /** Begins to take a piece on to the device. */
    void empty(DeviceBuffer to, long offset, long bytes) {
      stream.upload(host, 0, to, offset, bytes);
      taken = stream.mark();
    }

    @Override
    public void close() {
      Event last = taken;
      if (last != null) {
        last.close();
      }
      host.close();
    }
  }

  private <R> R askThere(DriverSession.Request<R> request) {
    return there(() -> from.session().askAsGuest(stream.session(), request));
  }

  /** Does something on the other device. */
  private <R> R there(Supplier<R> step) {
    try {
      return step.get();
    } catch (ComputeException failure) {
      if (failure.fault() == Fault.WORK) {
        throw failure;
      }
      throw new ComputeException.OtherDeviceFailed(
          "%s cannot be copied from, since: %s".formatted(from, failure.getMessage()), failure);
    }
  }
}
