package dev.fairlead.pool;

import dev.fairlead.device.Fault;
import org.jspecify.annotations.Nullable;

/** What a device at work asks of its pool. */
interface DeviceOwner {
  PoolOptions options();

  long now();

  Events events();

  /** Runs queued work that has its lease, on the device's own thread. */
  void run(Lease lease, QueuedWork job);

  /** Ends a lease; false if it had ended before. */
  boolean end(DeviceRuntime runtime, Lease lease, @Nullable Fault fault, boolean unused);

  void callEnded(DeviceRuntime runtime, Lease lease, boolean well);

  /** Ends a lease whose work hangs, though it has not come back. */
  boolean endHung(DeviceRuntime runtime, Lease lease);

  /** Deals with whatever has happened to a device; harmless if nothing has. */
  void attend(DeviceRuntime runtime);

  /** One of the device's threads has nothing to do: there may be work in other queues. */
  void ranDry(DeviceRuntime runtime);
}
