package dev.fairlead.run;

import dev.fairlead.device.Fault;
import dev.fairlead.lease.QueuedWork;
import dev.fairlead.ledger.HeldLease;
import dev.fairlead.notify.Events;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a device at work asks of its pool. */
public interface DeviceOwner {
  /** How long a device may take to open a context. */
  Duration opening();

  /** How long closing waits for what runs. */
  Duration grace();

  /** Whether contexts that take room on their devices are opened by their first use. */
  boolean contextsOnUse();

  long now();

  Events events();

  /** Runs queued work that has its lease, on the device's own thread. */
  void run(HeldLease lease, QueuedWork job);

  /** Ends a lease; false if it had ended before. */
  boolean end(DeviceRuntime runtime, HeldLease lease, @Nullable Fault fault, boolean unused);

  void callEnded(DeviceRuntime runtime, HeldLease lease, boolean well);

  /** Ends a lease whose work hangs, though it has not come back. */
  boolean endHung(DeviceRuntime runtime, HeldLease lease);

  /** Deals with whatever has happened to a device; harmless if nothing has. */
  void attend(DeviceRuntime runtime);

  /** One of the device's threads has nothing to do: there may be work in other queues. */
  void ranDry(DeviceRuntime runtime);
}
