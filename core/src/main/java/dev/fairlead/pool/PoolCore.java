package dev.fairlead.pool;

import dev.fairlead.lease.PoolException;
import dev.fairlead.notify.Events;
import dev.fairlead.placing.Fleet;
import dev.fairlead.policy.PlacementPolicy;
import dev.fairlead.run.DeviceThread;
import dev.fairlead.shared.BurdenFloors;
import dev.fairlead.shared.HostLimits;
import dev.fairlead.shared.PolicyState;
import dev.fairlead.shared.QueueIndex;
import dev.fairlead.shared.ShareHorizon;
import dev.fairlead.shared.ThreadCursor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the parts of a pool share: its options, the fleet of the day, what it remembers, and each
 * other.
 */
final class PoolCore {
  private final PoolOptions options;
  private final PolicyState memory;
  private final WaitingRoom room = new WaitingRoom(this);
  private final WorkStealing stealing;
  private final LeaseEndings endings;
  private final LeaseRequests requests;
  private final Snapshots snapshots;
  private volatile Fleet fleet;
  private volatile boolean closed;

  PoolCore(PoolOptions options) {
    this.options = options;
    this.memory = stateFor(options);
    this.stealing = new WorkStealing(this, memory.queues());
    this.endings = new LeaseEndings(this, room, options, memory);
    this.requests = new LeaseRequests(this, room, options, memory);
    this.snapshots = new Snapshots(options.ticker());
    this.fleet = Fleet.empty(options.policy(), memory);
    memory.shares().keep(options.policy().memory() == PlacementPolicy.Memory.SHARES);
  }

  private static PolicyState stateFor(PoolOptions options) {
    return new PolicyState(
        new AtomicInteger(),
        new ShareHorizon(),
        new ThreadCursor.Ring(),
        new BurdenFloors(),
        new QueueIndex(),
        new HostLimits(options.hostLimits()),
        new Events(options.listener()),
        options.costs(),
        options.ticker(),
        options.timing().headStart(),
        options.seed());
  }

  PoolOptions options() {
    return options;
  }

  PolicyState memory() {
    return memory;
  }

  WaitingRoom room() {
    return room;
  }

  WorkStealing stealing() {
    return stealing;
  }

  LeaseEndings endings() {
    return endings;
  }

  LeaseRequests requests() {
    return requests;
  }

  Events events() {
    return memory.events();
  }

  Fleet fleet() {
    return fleet;
  }

  /** Called within {@link WaitingRoom#change}. */
  void fleet(Fleet changed) {
    fleet = changed;
  }

  long now() {
    return options.ticker().nanos();
  }

  /** The pool at one point in time. */
  PoolSnapshot snapshot() {
    return room.quietly(
        () -> snapshots.snapshot(fleet, room.size(), endings.refusals().sums(), endings.retired()));
  }

  void use(PlacementPolicy policy) {
    room.change(() -> {
      memory.shares().keep(policy.memory() == PlacementPolicy.Memory.SHARES);
      fleet = fleet.with(policy);
    });
    stealing.feedAll();
  }

  /** Nothing new is taken from now on. */
  void shut() {
    closed = true;
  }

  boolean isClosed() {
    return closed;
  }

  void checkOpen() {
    if (closed) {
      throw new PoolException.PoolClosed();
    }
  }

  /** Throws if the current thread belongs to one of the pool's devices; {@code what} is refused. */
  void checkWait(String what) {
    if (DeviceThread.isOf(endings)) {
      throw new PoolException.WouldHang(what);
    }
  }
}
