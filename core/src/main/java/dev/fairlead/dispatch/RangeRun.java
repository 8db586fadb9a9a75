package dev.fairlead.dispatch;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Work;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.Health;
import dev.fairlead.pool.Lease;
import dev.fairlead.pool.PoolException;
import dev.fairlead.pool.PoolSnapshot;
import dev.fairlead.range.Range;
import dev.fairlead.range.Splitter;
import dev.fairlead.range.Unit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One index range on its way through the devices by work stealing.
 *
 * <p>The range is cut into units of one grain. Each device has a deque with an interval of them, as
 * long as its speed deserves, and a worker that leases the device, takes some units from the front,
 * does them, and gives the lease back, so that others get their turn. A worker whose deque is empty
 * first adopts units that failed elsewhere, then steals half of what the longest deque has. A batch
 * is as many units as take about {@link #BATCH_NANOS}, and never more than half the deque, so that
 * there is something to steal.
 *
 * <p>A unit is in exactly one place: a deque, a worker's hands, the orphans, or counted as settled.
 * What a worker holds when its device fails becomes orphans, one by one, with the reason; a unit
 * that has failed {@link #TRIES} times is condemned. A worker leases before it takes units, so that
 * a device in quarantine holds nothing.
 */
final class RangeRun {
  private static final int TRIES = 3;
  private static final long LOOK_AGAIN_MILLIS = 20;
  private static final long BATCH_NANOS = Duration.ofMillis(2).toNanos();
  private static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE);

  private record Orphan(int unit, List<Attempt> attempts) {
    boolean failedOn(Device device) {
      return attempts.stream().anyMatch(attempt -> attempt.device().id().equals(device.id()));
    }
  }

  private final DevicePool pool;
  private final long total;
  private final long grain;
  private final int units;
  private final Demand demand;
  private final RangeWork work;
  private final List<Worker> workers = new ArrayList<>();
  private final Queue<Orphan> orphans = new ConcurrentLinkedQueue<>();
  private final Queue<RangeReport.Condemned> condemned = new ConcurrentLinkedQueue<>();
  private final Queue<Attempt> endings = new ConcurrentLinkedQueue<>();
  private final AtomicInteger unsettled;
  private final Object change = new Object();
  private int changes;

  private RangeRun(DevicePool pool, long total, long grain, Demand demand, RangeWork work) {
    this.pool = pool;
    this.total = total;
    this.grain = grain;
    this.demand = demand;
    this.work = work;
    this.units = units(total, grain);
    this.unsettled = new AtomicInteger(units);
  }

  static RangeRun of(DevicePool pool, long total, long grain, Demand demand, RangeWork work) {
    RangeRun run = new RangeRun(pool, total, grain, demand, work);
    List<Device> devices = new ArrayList<>();
    List<Double> speeds = new ArrayList<>();
    Map<DeviceId, Double> measured = run.speeds();
    for (Device device : pool.candidatesFor(demand)) {
      for (int slot = 0; slot < device.slots(); slot++) {
        devices.add(device);
        speeds.add(measured.getOrDefault(device.id(), device.weight()) / device.slots());
      }
    }
    devices.forEach(device -> run.workers.add(run.new Worker(device)));
    for (Unit share : Splitter.weighted(speeds).split(run.unsettled.get(), devices.size())) {
      run.workers
          .get(share.home())
          .units
          .fill(StealableUnits.interval((int) share.range().start(), (int) share.range().end()));
    }
    return run;
  }

  private static int units(long total, long grain) {
    if (total < 0 || grain < 1) {
      throw new IllegalArgumentException(
          "A range of %d in parts of %d: neither can be negative, nor parts empty"
              .formatted(total, grain));
    }
    long count = total / grain + (total % grain == 0 ? 0 : 1);
    if (count > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "A range of %d in parts of %d makes %d parts, more than %d: make the parts larger"
              .formatted(total, grain, count, Integer.MAX_VALUE));
    }
    return (int) count;
  }

  /**
   * Measured rates on a scale where the average is one, so that unmeasured devices can be mixed in.
   */
  private Map<DeviceId, Double> speeds() {
    Map<DeviceId, Double> rates = new HashMap<>();
    for (PoolSnapshot.Entry entry : pool.snapshot().devices()) {
      if (!Double.isNaN(entry.stats().rate())) {
        rates.put(entry.device().id(), entry.stats().rate());
      }
    }
    double mean = rates.values().stream().mapToDouble(Double::doubleValue).average().orElse(1);
    rates.replaceAll((id, rate) -> rate / mean);
    return rates;
  }

  RangeReport finish() throws InterruptedException {
    if (unsettled.get() > 0) {
      workers.forEach(worker -> worker.thread = Thread.ofVirtual().unstarted(worker));
      workers.forEach(Worker::start);
      try {
        for (Worker worker : workers) {
          worker.join();
        }
      } catch (InterruptedException interrupted) {
        workers.forEach(Worker::interrupt);
        workers.forEach(Worker::joinPatiently);
        throw interrupted;
      }
    }
    condemnTheRest();
    Map<Device, RangeReport.Share> shares = new HashMap<>();
    for (Worker worker : workers) {
      shares.merge(
          worker.device,
          new RangeReport.Share(worker.indices, worker.parts, worker.steals),
          (one, two) ->
              new RangeReport.Share(
                  one.indices() + two.indices(),
                  one.parts() + two.parts(),
                  one.steals() + two.steals()));
    }
    return new RangeReport(total, shares, List.copyOf(condemned));
  }

  /** What is left when no worker is: all devices have gone. */
  private void condemnTheRest() {
    for (Orphan orphan = orphans.poll(); orphan != null; orphan = orphans.poll()) {
      condemned.add(new RangeReport.Condemned(range(orphan.unit, 1), orphan.attempts));
    }
    for (Worker worker : workers) {
      long left = worker.units.take(Integer.MAX_VALUE);
      if (left != StealableUnits.NONE) {
        condemned.add(
            new RangeReport.Condemned(
                range(StealableUnits.start(left), StealableUnits.length(left)),
                List.copyOf(endings)));
      }
    }
  }

  private Range range(int unit, int count) {
    return new Range(unit * grain, unit + count == units ? total : (unit + count) * grain);
  }

  private void settled(int units) {
    if (unsettled.addAndGet(-units) == 0) {
      changed();
      workers.forEach(Worker::interrupt);
    }
  }

  private void changed() {
    synchronized (change) {
      changes++;
      change.notifyAll();
    }
  }

  /** One slot of one device at work on the range. */
  private final class Worker implements Runnable {
    private final Device device;
    private final StealableUnits units = new StealableUnits();
    private @Nullable Thread thread;
    private volatile boolean gone;
    private List<Attempt> held = List.of();
    private double nanosPerUnit;
    private long indices;
    private long parts;
    private long steals;

    Worker(Device device) {
      this.device = device;
    }

    @Override
    public void run() {
      try {
        while (unsettled.get() > 0) {
          int seen;
          synchronized (change) {
            seen = changes;
          }
          if (!step()) {
            awaitChange(seen);
          }
        }
      } catch (InterruptedException over) {
        // All is settled, or the caller gave up; what was held is back among the orphans.
      } catch (PoolException left) {
        // The device was removed or the pool closed: the others take what this one has left.
        endings.add(new Attempt(device, left));
      } finally {
        gone = true;
        changed();
      }
    }

    @SuppressWarnings("WaitNotInLoop") // the caller looks again whatever woke it
    private void awaitChange(int seen) throws InterruptedException {
      synchronized (change) {
        if (changes == seen && unsettled.get() > 0) {
          // Health changes without a word to us, and decides who may adopt an orphan.
          change.wait(LOOK_AGAIN_MILLIS);
        }
      }
    }

    /** Leases the device and does some units; false if there is nothing for it now. */
    private boolean step() throws InterruptedException {
      if (!hasWork()) {
        return false;
      }
      int most = batch();
      Demand here =
          demand
              .onlyOn(device.id())
              .withWork(Work.of(demand.work().kind(), demand.work().size() * most * grain));
      try (Lease lease = pool.lease(here, FOR_EVER)) {
        long batch = next(most);
        if (batch == StealableUnits.NONE) {
          lease.giveBack();
          return false;
        }
        perform(lease, batch);
      }
      return true;
    }

    private void perform(Lease lease, long batch) throws InterruptedException {
      int first = StealableUnits.start(batch);
      int count = StealableUnits.length(batch);
      Range part = range(first, count);
      long begun = System.nanoTime();
      try {
        lease.run(slot -> {
          work.run(part, slot);
          return part;
        });
      } catch (InterruptedException interrupted) {
        orphan(first, count, interrupted);
        throw interrupted;
      } catch (Exception | Error failure) {
        lease.fail(failure);
        orphan(first, count, failure);
        return;
      }
      lease.succeedIfOpen(demand.work().size() * part.length());
      nanosPerUnit = (double) (System.nanoTime() - begun) / count;
      indices += part.length();
      parts++;
      settled(count);
    }

    private int batch() {
      int wanted =
          nanosPerUnit == 0 ? 1 : (int) Math.min(1 << 20, BATCH_NANOS / Math.max(1, nanosPerUnit));
      return Math.max(1, Math.min(wanted, units.size() / 2));
    }

    private boolean hasWork() {
      return units.size() > 0
          || orphans.stream().anyMatch(this::mayAdopt)
          || workers.stream().anyMatch(other -> other.units.size() > 0);
    }

    private long next(int most) {
      held = List.of();
      long own = units.take(most);
      if (own != StealableUnits.NONE) {
        return own;
      }
      Optional<Orphan> orphan = orphans.stream().filter(this::mayAdopt).findFirst();
      if (orphan.isPresent() && orphans.remove(orphan.get())) {
        held = orphan.get().attempts;
        return StealableUnits.interval(orphan.get().unit, orphan.get().unit + 1);
      }
      return steal();
    }

    private long steal() {
      Worker richest = this;
      for (Worker other : workers) {
        if (other.units.size() > richest.units.size()) {
          richest = other;
        }
      }
      long loot = richest.units.steal();
      if (loot == StealableUnits.NONE) {
        return loot;
      }
      steals++;
      int first = StealableUnits.start(loot);
      if (StealableUnits.length(loot) > 1) {
        units.fill(StealableUnits.interval(first + 1, StealableUnits.end(loot)));
        changed();
      }
      return StealableUnits.interval(first, first + 1);
    }

    /** A unit goes to a device that has not failed it, as long as one is there that serves. */
    private boolean mayAdopt(Orphan orphan) {
      return !orphan.failedOn(device)
          || workers.stream()
              .noneMatch(other -> !other.gone && !orphan.failedOn(other.device) && other.serves());
    }

    private boolean serves() {
      try {
        Health health = pool.health(device.id());
        return health != Health.QUARANTINED && health != Health.LOST;
      } catch (PoolException.UnknownDevice removed) {
        return false;
      }
    }

    private void orphan(int first, int count, Throwable cause) {
      List<Attempt> attempts = new ArrayList<>(held);
      attempts.add(new Attempt(device, cause));
      for (int unit = first; unit < first + count; unit++) {
        if (attempts.size() >= TRIES) {
          condemned.add(new RangeReport.Condemned(range(unit, 1), List.copyOf(attempts)));
          settled(1);
        } else {
          orphans.add(new Orphan(unit, List.copyOf(attempts)));
        }
      }
      changed();
    }

    void start() {
      Thread mine = thread;
      if (mine != null) {
        mine.start();
      }
    }

    void join() throws InterruptedException {
      Thread mine = thread;
      if (mine != null) {
        mine.join();
      }
    }

    /** Waits for a worker that was interrupted; it does not wait for its device. */
    void joinPatiently() {
      boolean interrupted = false;
      while (true) {
        try {
          join();
          break;
        } catch (InterruptedException again) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    void interrupt() {
      Thread mine = thread;
      if (mine != null) {
        mine.interrupt();
      }
    }
  }
}
