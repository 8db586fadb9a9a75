package dev.fairlead.dispatch;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.event.PoolListener;
import dev.fairlead.event.Subscription;
import dev.fairlead.lease.Lease;
import dev.fairlead.lease.PoolException;
import dev.fairlead.outcome.FailedAttempt;
import dev.fairlead.outcome.Failures;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Work;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.PoolSnapshot;
import dev.fairlead.range.Range;
import dev.fairlead.range.RangeShares;
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
 * first adopts units that failed elsewhere, then steals half of what the longest deque has: see
 * {@link RangeShares}.
 *
 * <p>A unit is in exactly one place: a deque, a worker's hands, the orphans, or counted as settled.
 * What a worker holds when its device fails becomes orphans, one by one, with the reason; a unit
 * that has failed {@link #TRIES} times is condemned. A worker leases before it takes units, so that
 * a device in quarantine holds nothing.
 */
final class RangeRun {
  private static final int TRIES = 3;
  private static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE);

  private record Orphan(long unit, Failures failures) {
    boolean failedOn(Device device) {
      return failures.areOn(device.id());
    }
  }

  /** A range in parts of one grain, the last one perhaps shorter. */
  private record Cut(long total, long grain) {
    private Cut {
      if (total < 0 || grain < 1) {
        throw new IllegalArgumentException(
            "A range of %d in parts of %d: neither can be negative, nor parts empty"
                .formatted(total, grain));
      }
      if ((total - 1) / grain >= Integer.MAX_VALUE) {
        throw new IllegalArgumentException(
            "A range of %d in parts of %d makes %d parts, more than %d: make the parts larger"
                .formatted(total, grain, (total - 1) / grain + 1, Integer.MAX_VALUE));
      }
    }

    int units() {
      return (int) (total / grain + (total % grain == 0 ? 0 : 1));
    }

    /** The indices of some units. */
    Range indices(long first, long end) {
      return new Range(first * grain, end == units() ? total : end * grain);
    }
  }

  private final DevicePool pool;
  private final Cut cut;
  private final RangeShares shares;
  private final Demand demand;
  private final RangeWork work;
  private final List<Worker> workers = new ArrayList<>();
  private final Queue<Orphan> orphans = new ConcurrentLinkedQueue<>();
  private final Queue<RangeReport.Condemned> condemned = new ConcurrentLinkedQueue<>();
  private final Queue<FailedAttempt> endings = new ConcurrentLinkedQueue<>();
  private final AtomicInteger unsettled;
  private final Object change = new Object();
  private int changes;

  private RangeRun(DevicePool pool, Cut cut, List<Double> speeds, Demand demand, RangeWork work) {
    this.pool = pool;
    this.cut = cut;
    this.shares = RangeShares.of(cut.units(), speeds);
    this.demand = demand;
    this.work = work;
    this.unsettled = new AtomicInteger(cut.units());
  }

  static RangeRun of(DevicePool pool, long total, long grain, Demand demand, RangeWork work) {
    List<Device> devices = pool.candidatesFor(demand);
    Map<DeviceId, Double> measured = rates(pool);
    List<Double> speeds =
        RangeShares.speeds(
            devices.stream().map(each -> measured.getOrDefault(each.id(), Double.NaN)).toList(),
            devices.stream().map(Device::weight).toList());
    List<Device> homes = new ArrayList<>();
    List<Double> each = new ArrayList<>();
    for (int i = 0; i < devices.size(); i++) {
      Device device = devices.get(i);
      for (int slot = 0; slot < device.slots(); slot++) {
        homes.add(device);
        each.add(speeds.get(i) / device.slots());
      }
    }
    RangeRun run = new RangeRun(pool, new Cut(total, grain), each, demand, work);
    homes.forEach(home -> run.workers.add(run.new Worker(run.workers.size(), home)));
    return run;
  }

  private static Map<DeviceId, Double> rates(DevicePool pool) {
    Map<DeviceId, Double> rates = new HashMap<>();
    for (PoolSnapshot.Entry entry : pool.snapshot().devices()) {
      rates.put(entry.device().id(), entry.stats().rate());
    }
    return rates;
  }

  RangeReport finish() throws InterruptedException {
    if (unsettled.get() > 0) {
      work();
    }
    condemnTheRest();
    Map<Device, RangeReport.Share> done = new HashMap<>();
    for (Worker worker : workers) {
      done.merge(
          worker.device,
          new RangeReport.Share(worker.indices, worker.parts, worker.steals),
          (one, two) ->
              new RangeReport.Share(
                  one.indices() + two.indices(),
                  one.parts() + two.parts(),
                  one.steals() + two.steals()));
    }
    return new RangeReport(cut.total(), done, List.copyOf(condemned));
  }

  /** Lets all workers work to their end; what happens to devices wakes those that have nothing. */
  private void work() throws InterruptedException {
    try (Subscription _ = pool.subscribe(new DeviceNews())) {
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
  }

  /** Whether a device serves decides who may adopt an orphan. */
  private final class DeviceNews implements PoolListener {
    @Override
    public void on(Event event) {
      changed();
    }

    @Override
    public boolean wantsLeases() {
      return false;
    }
  }

  /** What is left when no worker is: all devices have gone. */
  private void condemnTheRest() {
    for (Orphan orphan = orphans.poll(); orphan != null; orphan = orphans.poll()) {
      condemn(orphan.unit, orphan.unit + 1, orphan.failures.attempts());
    }
    for (Worker worker : workers) {
      Range left = shares.take(worker.number, Integer.MAX_VALUE);
      if (left != null) {
        condemn(left.start(), left.end(), List.copyOf(endings));
      }
    }
  }

  private void condemn(long first, long end, List<FailedAttempt> attempts) {
    condemned.add(new RangeReport.Condemned(cut.indices(first, end), attempts));
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
    private final int number;
    private final Device device;
    private @Nullable Thread thread;
    private volatile boolean gone;
    private Failures held = Failures.NONE;
    private double nanosPerUnit;
    private long indices;
    private long parts;
    private long steals;

    Worker(int number, Device device) {
      this.number = number;
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
        endings.add(new FailedAttempt(device, left));
      } finally {
        gone = true;
        changed();
      }
    }

    @SuppressWarnings("WaitNotInLoop") // the caller looks again whatever woke it
    private void awaitChange(int seen) throws InterruptedException {
      synchronized (change) {
        if (changes == seen && unsettled.get() > 0) {
          change.wait();
        }
      }
    }

    /** Leases the device and does some units; false if there is nothing for it now. */
    private boolean step() throws InterruptedException {
      if (!hasWork()) {
        return false;
      }
      int most = shares.batch(number, nanosPerUnit);
      Demand here =
          demand
              .onlyOn(device.id())
              .withWork(Work.of(demand.work().kind(), demand.work().size() * most * cut.grain()));
      try (Lease lease = pool.lease(here, FOR_EVER)) {
        Range batch = next(most);
        if (batch == null) {
          lease.giveBack();
          return false;
        }
        perform(lease, batch);
      }
      return true;
    }

    private void perform(Lease lease, Range batch) throws InterruptedException {
      Range part = cut.indices(batch.start(), batch.end());
      long begun = System.nanoTime();
      try {
        lease.run(slot -> {
          work.run(part, slot);
          return part;
        });
      } catch (InterruptedException interrupted) {
        orphan(batch, interrupted);
        throw interrupted;
      } catch (Exception | Error failure) {
        lease.fail(failure);
        orphan(batch, failure);
        return;
      }
      lease.succeedIfOpen(demand.work().size() * part.length());
      nanosPerUnit = (double) (System.nanoTime() - begun) / batch.length();
      indices += part.length();
      parts++;
      settled((int) batch.length());
    }

    private boolean hasWork() {
      return !shares.isEmpty() || orphans.stream().anyMatch(this::mayAdopt);
    }

    private @Nullable Range next(int most) {
      held = Failures.NONE;
      Range own = shares.take(number, most);
      if (own != null) {
        return own;
      }
      Optional<Orphan> orphan = orphans.stream().filter(this::mayAdopt).findFirst();
      if (orphan.isPresent() && orphans.remove(orphan.get())) {
        held = orphan.get().failures;
        return new Range(orphan.get().unit, orphan.get().unit + 1);
      }
      Range loot = shares.steal(number);
      if (loot != null) {
        steals++;
        changed();
      }
      return loot;
    }

    /** A unit goes to a device that has not failed it, as long as one is there that serves. */
    private boolean mayAdopt(Orphan orphan) {
      return !orphan.failedOn(device)
          || workers.stream()
              .noneMatch(other -> !other.gone && !orphan.failedOn(other.device) && other.serves());
    }

    private boolean serves() {
      try {
        return pool.serves(device.id());
      } catch (PoolException.UnknownDevice removed) {
        return false;
      }
    }

    private void orphan(Range batch, Throwable cause) {
      Failures failures = held.after(device, cause);
      for (long unit = batch.start(); unit < batch.end(); unit++) {
        if (failures.areTooMany(TRIES, false)) {
          condemn(unit, unit + 1, failures.attempts());
          settled(1);
        } else {
          orphans.add(new Orphan(unit, failures));
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
