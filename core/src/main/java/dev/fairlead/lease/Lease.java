package dev.fairlead.lease;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceWork;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Load;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * A running slot of a device, with all the resources that its demand asked for, held until it ends.
 * It ends exactly once: by {@link #succeed}, by {@link #fail}, by an event, or by {@link #close}. A
 * lease that is closed without a word has succeeded if work has run under it and none has thrown;
 * otherwise it has failed. Leases come from a pool; a program does not implement this interface.
 *
 * <pre>{@code
 * try (Lease lease = pool.lease(demand, timeout)) {
 *   return lease.run(slot -> compute(slot));
 * }
 * }</pre>
 */
public interface Lease extends AutoCloseable {
  Device device();

  /** The device's index in the pool, which no other device ever has. */
  int index();

  Demand demand();

  /** The generation of the device's context that this lease is good for. */
  int generation();

  /** The load that the device was chosen on; the foreign streams are those last polled. */
  Load load();

  /** How long the lease has been held. */
  Duration age();

  /**
   * Runs work on one of the device's own threads and waits for it. What the work throws comes out
   * unchanged, and is remembered as the reason if the lease ends without success.
   *
   * @throws PoolException.LeaseEnded if the lease has ended
   * @throws PoolException.StaleGeneration if the device was rebuilt in the meantime
   * @throws PoolException.NoContext if the work was to be the first in a context that did not open
   */
  <R, X extends Exception> R run(DeviceWork<R, X> work) throws X, InterruptedException;

  /** Ends the lease: the work is done. */
  void succeed();

  /** Ends the lease well unless it has ended before, say because its work was given up as hung. */
  void succeedIfOpen();

  /**
   * The same, for work that turned out to be of another size than the demand said.
   *
   * @param size as in {@link dev.fairlead.policy.Work}
   */
  void succeedIfOpen(double size);

  /**
   * The same, for work that was timed by the caller, say by events of the device.
   *
   * @param took what counts as the latency, and what costs are learned from
   */
  void succeedIfOpen(double size, Duration took);

  /** Ends a lease under which nothing was done: it counts neither as completed nor as failed. */
  void giveBack();

  /** Ends the lease: the work failed, and this is why. */
  void fail(Throwable cause);

  /** Leaves the end to an event: the device is busy until it comes, the thread is not. */
  void endWith(CompletionStage<?> event);

  /**
   * Ends the lease unless it has ended before or was left to an event: well if work has run under
   * it and none has thrown, else as a failure.
   */
  @Override
  void close();
}
