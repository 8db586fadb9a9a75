package dev.fairlead.ledger;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceWork;
import dev.fairlead.device.Fault;
import dev.fairlead.lease.QueuedWork;
import dev.fairlead.policy.Load;
import org.jspecify.annotations.Nullable;

/** What a lease asks of the device that it is on. */
public interface LeaseHost {
  Device device();

  /** The device's index in the pool. */
  int index();

  long now();

  /** The generation of the device's context. */
  int generation();

  /** A load that the device had. */
  Load loadAt(int depth, long freeBytes, long nanos);

  /** Runs work under the lease on one of the device's own threads, and waits for it. */
  <R, X extends Exception> R run(HeldLease lease, DeviceWork<R, X> work)
      throws X, InterruptedException;

  /** Runs queued work that has its lease; the current thread is the device's own. */
  void runJob(HeldLease lease, QueuedWork job);

  /** Whose fault a failure is. */
  Fault classify(Throwable failure);

  /** Remembers what went wrong under a lease, in case its end does not say how it went. */
  void note(HeldLease lease, Throwable failure);

  /** A call under the lease has ended. */
  void callEnded(HeldLease lease, boolean well);

  /** Leaves the end of a lease to an event; false if it has ended. */
  boolean handOver(HeldLease lease);

  /** Ends a lease; false if it had ended before. */
  boolean end(HeldLease lease, @Nullable Fault fault, boolean unused);
}
