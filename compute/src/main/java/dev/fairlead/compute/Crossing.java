package dev.fairlead.compute;

import dev.fairlead.compute.driver.ComputeDriver;
import dev.fairlead.compute.driver.ComputeDriver.Copy;
import dev.fairlead.compute.driver.ComputeException;
import dev.fairlead.device.Fault;
import dev.fairlead.policy.Priority;

/**
 * A copy from another device, given to a stream of the device that it goes to. Where the driver
 * reaches the other device by itself, the bytes go straight; if not, they go over the host, in
 * pieces, so that a large buffer does not take as much of the host's memory.
 *
 * <p>It has ended when {@link #run} returns: nothing but the host orders what two devices do. The
 * current thread is one of the device that the bytes go to, and a guest in the realm of the other
 * one, which is not closed meanwhile. What fails there is not the fault of the device here.
 */
final class Crossing {
  static final long PIECE = 16L << 20;

  private final Stream stream;
  private final DeviceBuffer from;
  private final DeviceBuffer to;

  Crossing(Stream stream, DeviceBuffer from, DeviceBuffer to) {
    this.stream = stream;
    this.from = from;
    this.to = to;
  }

  void run(long fromOffset, long toOffset, long bytes) {
    from.hold();
    try {
      from.realm()
          .hosting(() -> {
            there(from.realm()::requireSound);
            Copy copy = new Copy(from.rawHandle(), fromOffset, to.rawHandle(), toOffset, bytes);
            if (!stream.copyAcross(from.realm().driver(), to, copy)) {
              overHost(copy);
            }
            stream.synchronise();
          });
    } finally {
      from.letGo();
    }
  }

  private void overHost(Copy copy) {
    long room = Math.max(1, Math.min(PIECE, copy.bytes()));
    Realm home = stream.realm();
    StagingBuffer staging = new StagingBuffer(home, home.ask(driver -> driver.pin(room)), room);
    try (StagingBuffer host = home.opened(staging)) {
      for (long done = 0; done < copy.bytes(); done += room) {
        long piece = Math.min(room, copy.bytes() - done);
        bring(new Copy(copy.from(), copy.fromOffset() + done, host.address(), 0, piece));
        stream.upload(host, 0, to, copy.toOffset() + done, piece);
        stream.synchronise();
      }
    }
  }

  private void bring(Copy copy) {
    there(() -> from.realm().askAsGuest(stream.realm(), driver -> download(driver, copy)));
  }

  /** Does something on the other device. */
  private void there(Runnable step) {
    try {
      step.run();
    } catch (ComputeException failure) {
      if (failure.fault() == Fault.WORK) {
        throw failure;
      }
      throw new ComputeException.OtherDeviceFailed(
          "%s cannot be copied from, since: %s".formatted(from, failure.getMessage()), failure);
    }
  }

  private static boolean download(ComputeDriver driver, Copy copy) {
    long queue = driver.openStream(Priority.NORMAL);
    boolean sound = true;
    try {
      driver.download(queue, copy);
      driver.synchronise(queue);
      return true;
    } catch (ComputeException failure) {
      sound = !failure.poisons();
      throw failure;
    } finally {
      if (sound) {
        driver.closeStream(queue);
      }
    }
  }
}
