package dev.fairlead.units;

import dev.fairlead.device.DeviceId;
import dev.fairlead.outcome.TaskException;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.ServicePolicy;
import dev.fairlead.pool.DevicePool;
import java.util.Objects;

/**
 * Runs units of work that wait in groups: whenever a device is free, the service policy picks the
 * unit that it takes, under a lease on exactly that device. Thread-safe.
 *
 * <p>A unit that fails is tried again, elsewhere while another device can take it, until it has
 * failed on as many devices as the options allow; then it is condemned with all its reasons.
 * Devices may come, go, fall ill and recover meanwhile. The pool belongs to whoever opened it.
 */
public final class UnitQueue implements AutoCloseable {
  private final UnitScheduler scheduler;
  private final CallbackThread callbacks = new CallbackThread();
  private final Thread thread;
  private final int groups;
  private boolean closed; // guarded by this

  private UnitQueue(DevicePool pool, ServicePolicy policy, int groups, ServiceOptions options) {
    this.groups = groups;
    this.scheduler = new UnitScheduler(pool, policy, groups, options, callbacks);
    this.thread = Thread.ofVirtual().name("fairlead units").unstarted(scheduler);
  }

  /** Three tries, no clones. */
  public static UnitQueue open(DevicePool pool, ServicePolicy policy, int groups) {
    return open(pool, policy, groups, ServiceOptions.usual());
  }

  /** A service for units of the groups {@code [0, groups)}. */
  public static UnitQueue open(
      DevicePool pool, ServicePolicy policy, int groups, ServiceOptions options) {
    if (groups < 1) {
      throw new IllegalArgumentException("groups is less than one: " + groups);
    }
    UnitQueue service =
        new UnitQueue(
            Objects.requireNonNull(pool, "pool is null"),
            Objects.requireNonNull(policy, "policy is null"),
            groups,
            Objects.requireNonNull(options, "options is null"));
    service.callbacks.start();
    service.thread.start();
    return service;
  }

  /**
   * Adds a unit to those that wait; returns at once. A unit that no device of the pool can ever
   * take is condemned with their objections.
   *
   * @param order the unit's place in its job: smaller is older; units of several groups may share
   *     it
   * @param demand what a device must have for it; the affinity key is ignored, since the service
   *     policy chooses
   */
  public <R> UnitTask<R> offer(int group, long order, Demand demand, UnitWork<R> work) {
    return offer(group, order, demand, UnitInput.everywhere(), work);
  }

  /**
   * The same for a unit whose costs depend on where a device is: what it takes to bring it what it
   * reads is part of what the service policy predicts.
   */
  public <R> UnitTask<R> offer(
      int group, long order, Demand demand, UnitInput input, UnitWork<R> work) {
    UnitTask<R> unit =
        new UnitTask<>(
            Objects.checkIndex(group, groups),
            order,
            Objects.requireNonNull(demand, "demand is null"),
            Objects.requireNonNull(input, "input is null"),
            Objects.requireNonNull(work, "work is null"));
    synchronized (this) {
      if (closed) {
        throw new TaskException.ServiceClosed();
      }
      scheduler.leave(() -> scheduler.offered(unit));
    }
    return unit;
  }

  /**
   * Keeps a device away from a group from now on. What runs there goes on, and is done elsewhere if
   * it throws {@link UnfitForGroup}. When no device is left that could take them, the units of the
   * group that wait end with {@link TaskException.GroupStruckOff}, so that they can be offered
   * again on other conditions.
   */
  public void strikeOff(int group, DeviceId device, String reason) {
    Objects.checkIndex(group, groups);
    Objects.requireNonNull(device, "device is null");
    Objects.requireNonNull(reason, "reason is null");
    scheduler.leave(() -> scheduler.strike(group, device, reason));
  }

  /** Lets all devices serve the group again. */
  public void readmit(int group) {
    Objects.checkIndex(group, groups);
    scheduler.leave(() -> scheduler.readmit(group));
  }

  /** What has been done so far. */
  public ServiceReport report() {
    return scheduler.counters().report();
  }

  /**
   * Waits until every unit has ended and been told of, then closes. From a listener or a callback
   * of this service it does not wait.
   */
  @Override
  public void close() {
    close(scheduler::close);
  }

  /** Cancels every unit, and waits until the devices have let go of them. */
  public void cancelAndClose() {
    close(scheduler::cancel);
  }

  private void close(Runnable how) {
    synchronized (this) {
      closed = true;
      scheduler.leave(how);
    }
    if (!callbacks.isCurrent()) {
      joinPatiently(thread);
      joinPatiently(callbacks.thread());
    }
  }

  private static void joinPatiently(Thread thread) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException again) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
