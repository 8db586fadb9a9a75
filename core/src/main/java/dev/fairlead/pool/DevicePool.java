package dev.fairlead.pool;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.device.DeviceWork;
import dev.fairlead.device.Discovery;
import dev.fairlead.device.Discovery.Problem;
import dev.fairlead.event.PoolListener;
import dev.fairlead.event.Subscription;
import dev.fairlead.health.Health;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.lease.QueuedWork;
import dev.fairlead.lease.Ticket;
import dev.fairlead.ledger.Ledger;
import dev.fairlead.ledger.LedgerPage;
import dev.fairlead.ledger.ServingState;
import dev.fairlead.ledger.TrackedLease;
import dev.fairlead.placing.EntryMode;
import dev.fairlead.placing.Fleet;
import dev.fairlead.placing.Placer;
import dev.fairlead.placing.PoolCandidates;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Explanation;
import dev.fairlead.policy.Load;
import dev.fairlead.policy.Placement;
import dev.fairlead.policy.PlacementPolicy;
import dev.fairlead.stats.DeviceStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The devices of a program, in the given order, each with one supervised context; gives leases on
 * them. Thread-safe.
 *
 * <p>The walk of a lease: the policy reads a {@link PoolCandidates} and answers an index; the
 * {@link Ledger} of that device takes the lease in one atomic step, or the policy looks again; if
 * no device has room, the demand waits in the {@link WaitingRoom}. A submitted job may also join
 * the queue of a busy device, from which {@link WorkStealing} gives it to one that has become free.
 * When the lease ends, the {@link LeaseEndings} is the one place where books, statistics and health
 * hear of it.
 */
public final class DevicePool implements AutoCloseable, Iterable<Device> {
  private final PoolCore core;
  private final PoolMaintenance maintenance;
  private final DeviceAddition additions;
  private final DeviceChanges changes;
  private final PoolClosing closing = new PoolClosing();
  private final AtomicInteger nextTurn = new AtomicInteger();

  private DevicePool(PoolOptions options) {
    this.core = new PoolCore(options);
    this.maintenance = new PoolMaintenance(core, core.options().timing(), options.seed());
    this.changes = new DeviceChanges(core);
    this.additions = new DeviceAddition(core, core.room(), options, core.memory());
  }

  /** Devices without contexts: for scheduling alone. */
  public static DevicePool of(List<Device> devices) {
    return of(devices, PoolOptions.usual());
  }

  public static DevicePool of(List<Device> devices, PoolOptions options) {
    DevicePool pool = new DevicePool(options);
    pool.additions.addAll(devices);
    pool.maintenance.start();
    return pool;
  }

  public static DevicePool open(Discovery discovery) {
    return open(discovery, PoolOptions.usual());
  }

  /**
   * Opens contexts on what was found, now or by their first use. One that does not open now is a
   * problem with its reason, see {@link #problems}; the rest work; one without room opens later.
   *
   * @throws PoolException.NoDevices if none can be used
   */
  public static DevicePool open(Discovery discovery, PoolOptions options) {
    DevicePool pool = new DevicePool(options);
    try {
      pool.additions.open(discovery);
    } catch (PoolException.NoDevices none) {
      pool.close();
      throw none;
    }
    pool.maintenance.start();
    return pool;
  }

  /** Adds a device without a context, while the pool runs. */
  public int add(Device device) {
    return additions.add(device);
  }

  /**
   * Opens a context on the device and adds it, while the pool runs.
   *
   * @throws PoolException.DidNotOpen if the backend has not opened it in time
   */
  public int add(Discovery.Found found) {
    return additions.add(found);
  }

  /**
   * Removes a device: it takes no new work, its queued jobs move elsewhere, what runs there ends in
   * peace, then it goes. Other devices keep their indices, and its own is never used again.
   *
   * @return whether it is gone; if not, it goes when the last of its work has ended
   */
  public boolean remove(DeviceId id, Duration patience) throws InterruptedException {
    return changes.remove(core.fleet().runtimeOf(id), patience);
  }

  /**
   * Lets a device take no new work until it is {@linkplain #resume resumed}: its queued jobs move
   * elsewhere, those that no other device may run wait, and what runs there ends in peace.
   */
  public void pause(DeviceId id) {
    core.checkOpen();
    changes.pause(core.fleet().runtimeOf(id));
  }

  /** Lets a paused device serve again, and take over what waits in other queues. */
  public void resume(DeviceId id) {
    core.checkOpen();
    changes.resume(core.fleet().runtimeOf(id));
  }

  /**
   * Pauses a device and waits until nothing runs there; it stays in the pool.
   *
   * @return whether nothing runs there; if not, the device is still paused and nothing new comes,
   *     unless it was resumed meanwhile
   */
  public boolean drain(DeviceId id, Duration patience) throws InterruptedException {
    core.checkOpen();
    return changes.drain(core.fleet().runtimeOf(id), patience);
  }

  public int size() {
    return core.fleet().runtimes().size();
  }

  public List<Device> devices() {
    return core.fleet().devices();
  }

  @Override
  public Iterator<Device> iterator() {
    return devices().iterator();
  }

  public Device byId(DeviceId id) {
    return core.fleet().runtimeOf(id).device();
  }

  public Device byOrdinal(DeviceKind kind, int ordinal) {
    return core.fleet().byOrdinal(kind, ordinal);
  }

  public Device byIndex(int index) {
    return additions.at(index).device();
  }

  /** The number of a device in the pool, which no other device ever has. */
  public int index(DeviceId id) {
    return core.fleet().runtimeOf(id).ledger().index();
  }

  /** The context that is open on a device, for use outside of leases. */
  public ContextHandle context(DeviceId id) {
    return new ContextHandle(core, core.fleet().runtimeOf(id));
  }

  public ContextHandle context(DeviceKind kind, int ordinal) {
    return context(byOrdinal(kind, ordinal).id());
  }

  public ContextHandle contextAt(int index) {
    return new ContextHandle(core, additions.at(index));
  }

  /** The contexts of all devices, in their order. */
  public List<ContextHandle> contexts() {
    return core.fleet().runtimes().stream()
        .map(runtime -> new ContextHandle(core, runtime))
        .toList();
  }

  /** What a device has done, without a look at the others. */
  public DeviceStats stats(DeviceId id) {
    return LedgerPage.of(core.fleet().runtimeOf(id).ledger(), core.now()).stats();
  }

  /** The devices in turn, whatever they are doing. */
  public Device next() {
    return core.fleet().next(nextTurn);
  }

  /** The device that serves and has most memory free; its total where it cannot be polled. */
  public Device bestAvailable() {
    return core.fleet().mostFree(core.now());
  }

  public Load load(DeviceId id) {
    return core.fleet().runtimeOf(id).ledger().load(core.now());
  }

  public Health health(DeviceId id) {
    return core.fleet().runtimeOf(id).ledger().serving(serving -> serving.breaker().health());
  }

  /**
   * Whether the device may be given work: its health is trusted, and it is not paused or leaving.
   */
  public boolean serves(DeviceId id) {
    core.checkOpen();
    return core.fleet().runtimeOf(id).ledger().serving(ServingState::serves);
  }

  /** What was found but cannot be used, and why. */
  public List<Problem> problems() {
    return additions.problems();
  }

  /**
   * The devices that could take the demand some day, whatever they are doing now.
   *
   * @throws PoolException.Rejected if none ever can
   * @throws PoolException.PoolClosed if the pool is closed
   */
  public List<Device> candidatesFor(Demand demand) {
    core.checkOpen();
    try {
      return core.fleet().view(demand, EntryMode.LEASE).candidates();
    } catch (PoolException.Rejected none) {
      core.checkOpen(); // again: a pool that closes is shut first, then loses its devices
      throw none;
    }
  }

  /** What the pool was opened with, its cost model included; {@link #use} changes nothing here. */
  public PoolOptions options() {
    return core.options();
  }

  public PlacementPolicy policy() {
    return core.fleet().policy();
  }

  /** Places by another policy from now on. */
  public void use(PlacementPolicy policy) {
    Objects.requireNonNull(policy, "policy is null");
    core.use(policy);
  }

  /**
   * Tells a listener what happens from now on, until its subscription or the pool is closed. There
   * may be any number of listeners, each with a thread of its own: one that blocks or throws harms
   * neither the pool nor the others. A listener hears of leases that were asked for after it had
   * subscribed. If the pool is closed, it hears nothing.
   */
  public Subscription subscribe(PoolListener listener) {
    return core.events().subscribe(Objects.requireNonNull(listener, "listener is null"));
  }

  // ---- leasing

  /**
   * Waits for a running slot of a device that meets the demand.
   *
   * @throws PoolException.Rejected if no device ever can
   * @throws PoolException.TimedOut if none could in time; the message says what was asked, what was
   *     there and who holds it
   */
  public Lease lease(Demand demand, Duration timeout) throws InterruptedException {
    return core.requests().lease(demand, timeout);
  }

  /**
   * A running slot as soon as a device that meets the demand has one, without a thread that waits.
   * The future is completed on a thread of its own; cancelling it, or a time limit such as {@link
   * CompletableFuture#orTimeout}, ends the wait. It fails with {@link PoolException.Rejected} if no
   * device ever can, and with {@link PoolException.PoolClosed} if the pool closes before.
   */
  public CompletableFuture<Lease> leaseAsync(Demand demand) {
    return core.requests().leaseAsync(demand);
  }

  /** Waits for a slot without a limit, and runs work on the device that has it. */
  public <R, X extends Exception> R run(Demand demand, DeviceWork<R, X> work)
      throws X, InterruptedException {
    try (Lease lease = lease(demand, Timing.NO_LIMIT)) {
      return lease.run(work);
    }
  }

  /** A running slot if there is one now. */
  public Optional<Lease> tryLease(Demand demand) {
    return Optional.ofNullable(core.requests().tryLease(demand));
  }

  /**
   * Leaves a job with the pool. It starts on a free device, or joins the queue of a busy one, from
   * which a device that becomes free may take it, or waits until some device has room for it.
   *
   * @throws PoolException.Rejected if no device ever can run it
   */
  public Ticket submit(Demand demand, QueuedWork job) {
    return core.requests().submit(demand, job);
  }

  /** All jobs that run, are in a device's queue, or wait. */
  public List<QueuedWork> jobs() {
    List<QueuedWork> jobs = new ArrayList<>(core.room().jobs());
    core.fleet().runtimes().forEach(runtime -> jobs.addAll(runtime.ledger().jobs()));
    return jobs;
  }

  /** Takes back a job that has not started; false if it has, or has ended. */
  public boolean withdraw(Ticket ticket) {
    if (!(ticket instanceof TrackedLease lease)) {
      throw new IllegalArgumentException("Not a ticket of a pool: " + ticket);
    }
    return core.endings().withdraw(lease);
  }

  /** What would be answered now; reserves nothing, moves no turn. */
  public Placement<Device> peek(Demand demand) {
    PoolCandidates view = core.fleet().view(demand, EntryMode.LEASE);
    return Placer.answer(view, Placer.preview(view), core.now());
  }

  /** What would be answered now, and for each device why it would or would not be chosen. */
  public Explanation explain(Demand demand) {
    PoolCandidates view = core.fleet().view(demand, EntryMode.LEASE);
    return Placer.explain(view, Placer.preview(view), core.now());
  }

  /** The pool at one point in time. */
  public PoolSnapshot snapshot() {
    return core.snapshot();
  }

  /**
   * Refuses every demand that waits, lets what runs end within the grace, then closes the contexts
   * on their own threads. Work that is still there after the grace is interrupted and left behind.
   * All callers return when the pool is closed.
   *
   * @throws PoolException.WouldHang if work on one of the pool's devices calls it
   */
  @Override
  public void close() {
    checkWait("Closing the pool");
    closing.once(() -> {
      core.shut();
      core.events().tell(new PoolListener.Event.Closing());
      PoolException.PoolClosed reason = new PoolException.PoolClosed();
      core.room().refuseAll(reason);
      maintenance.stop();
      core.endings().close(reason);
      core.events().close(core.options().timing().grace());
    });
  }

  /** Throws if the current thread belongs to one of the pool's devices; {@code what} is refused. */
  public void checkWait(String what) {
    core.checkWait(what);
  }

  Fleet fleet() {
    return core.fleet();
  }

  PoolCore core() {
    return core;
  }

  PoolMaintenance maintenance() {
    return maintenance;
  }

  @Override
  public String toString() {
    return "DevicePool[%d devices: %s]"
        .formatted(size(), String.join(", ", devices().stream().map(Device::label).toList()));
  }
}
