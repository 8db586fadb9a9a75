package dev.fairlead.units;

import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.outcome.TaskException;
import dev.fairlead.policy.FairBooks;
import dev.fairlead.policy.FairJob;
import dev.fairlead.policy.FairPolicy;
import dev.fairlead.policy.FairShares;
import dev.fairlead.policy.ServicePolicy;
import dev.fairlead.policy.Tenant;
import dev.fairlead.policy.Turn;
import dev.fairlead.pool.DevicePool;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Runs units of work of several jobs: whenever a device is free, the service policy picks the unit
 * that it takes, under a lease on exactly that device. Each job is a {@link Party}. Thread-safe.
 *
 * <p>Devices may come, go, fall ill and recover meanwhile. The pool belongs to the caller that
 * opened it.
 */
public final class UnitQueue implements AutoCloseable {
  private final CallbackThread callbacks = new CallbackThread();
  private final FairBooks books;
  private final UnitScheduler scheduler;
  private final Set<Party> parties = new HashSet<>(); // guarded by this
  private final CompletableFuture<Void> closing = new CompletableFuture<>();
  private long joined; // guarded by this
  private boolean closed; // guarded by this

  private UnitQueue(DevicePool pool, ServicePolicy policy, FairShares saved) {
    this.books = new FairBooks(saved);
    this.scheduler = new UnitScheduler(pool, policy, books, callbacks);
  }

  /** A queue without a party. */
  public static UnitQueue open(DevicePool pool, ServicePolicy policy) {
    return open(pool, policy, FairShares.NONE);
  }

  /**
   * A queue that goes on where another has ended.
   *
   * @param saved what tenants have had before
   */
  public static UnitQueue open(DevicePool pool, ServicePolicy policy, FairShares saved) {
    UnitQueue queue =
        new UnitQueue(
            Objects.requireNonNull(pool, "pool is null"),
            Objects.requireNonNull(policy, "policy is null"),
            Objects.requireNonNull(saved, "saved is null"));
    queue.callbacks.start();
    queue.scheduler.thread().start();
    return queue;
  }

  /** The only party of a queue that closes with it: three tries, no clones. */
  public static Party single(DevicePool pool, ServicePolicy policy, int groups) {
    return single(pool, policy, groups, ServiceOptions.usual());
  }

  /** The only party of a queue that closes with it. */
  public static Party single(
      DevicePool pool, ServicePolicy policy, int groups, ServiceOptions options) {
    PartyOptions party = PartyOptions.of("the only one", groups).withService(options);
    UnitQueue queue = open(pool, policy);
    return queue.join(party, queue::close);
  }

  /**
   * Takes a job in.
   *
   * @throws TaskException.ServiceClosed if the queue is closed
   */
  public Party join(PartyOptions options) {
    return join(Objects.requireNonNull(options, "options is null"), () -> {});
  }

  private synchronized Party join(PartyOptions options, Runnable left) {
    if (closed) {
      throw new TaskException.ServiceClosed();
    }
    FairJob job =
        books.join(joined, options.tenant(), options.priority(), options.since().toEpochMilli());
    PartyBooks its = new PartyBooks(joined++, options, job);
    Party party = new Party(scheduler, callbacks, its, left);
    parties.add(party);
    CompletableFuture<Void> _ = party.whenLeft().thenRun(() -> forget(party));
    return party;
  }

  /** A tenant that has or had jobs here has another weight from now on. */
  public void weigh(Tenant tenant) {
    scheduler.weigh(Objects.requireNonNull(tenant, "tenant is null"));
  }

  /** What each tenant has had so far; kept, it lets another queue go on from there. */
  public FairShares shares() {
    return books.shares();
  }

  /**
   * Whose turn it would be on a device if it were free now, and why; empty if the service policy is
   * not {@linkplain FairPolicy one that shares}, or if the device is not known or the queue closed.
   */
  public Optional<Turn> turn(DeviceId device) {
    CompletableFuture<Optional<Turn>> answer = new CompletableFuture<>();
    scheduler.turn(Objects.requireNonNull(device, "device is null"), answer);
    CompletableFuture<Void> _ = closing.thenRun(() -> answer.complete(Optional.empty()));
    return answer.join();
  }

  /**
   * How many units run at once on the devices of a kind, where drivers have refused more ({@link
   * dev.fairlead.device.Fault#BUSY}). One more is tried now and then, so that it may grow again.
   */
  public Map<DeviceKind, Integer> sessions() {
    return scheduler.sessions();
  }

  /** How many have joined and not left; for tests. */
  synchronized int parties() {
    return parties.size();
  }

  private synchronized void forget(Party party) {
    parties.remove(party);
  }

  /**
   * Waits until every unit of every party has ended and been reported, then closes; what a parked
   * party has waiting is cancelled. From a listener or a callback of this queue it does not wait.
   */
  @Override
  public void close() {
    close(false);
  }

  /** Cancels every unit, and waits until the devices have let go of them. */
  public void cancelAndClose() {
    close(true);
  }

  private void close(boolean cancels) {
    synchronized (this) {
      closed = true;
      closing.complete(null);
      List.copyOf(parties).forEach(Party::shut);
      scheduler.close(cancels);
    }
    if (!callbacks.isCurrent()) {
      joinPatiently(scheduler.thread());
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
