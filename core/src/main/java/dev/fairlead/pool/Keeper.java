package dev.fairlead.pool;

import dev.fairlead.device.Fault;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.WeakHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What keeps a pool honest as time passes: polls loads, fades handicaps, probes devices in
 * quarantine, reports leases that are held too long, and gives up work that hangs.
 *
 * <p>Asking a device may block, so each poll runs on a thread of its own, one in flight a device; a
 * device that does not answer costs one thread and delays nobody. A poll that fails, or that is not
 * answered within {@link #POLLS_BEFORE_SILENT} intervals, is a fault of the device, so that a dead
 * device does not keep its last, idle-looking load.
 */
final class Keeper implements Runnable {
  private static final int POLLS_BEFORE_SILENT = 8;
  private static final double JITTER = 0.2;
  private static final long FADE_NANOS = Duration.ofSeconds(1).toNanos();

  private final DevicePool pool;
  private final Timing timing;
  private final Random random;
  private final ExecutorService pollers =
      Executors.newCachedThreadPool(
          Thread.ofPlatform().daemon().name("fairlead poller ", 0).factory());
  private final Map<Station, Long> pollDue = new WeakHashMap<>();
  private final Map<Station, Long> asked = new WeakHashMap<>();
  private long fadeDue;
  private final Object bell = new Object();
  private volatile boolean stopped;
  private volatile @Nullable Thread thread;

  Keeper(DevicePool pool, Timing timing, long seed) {
    this.pool = pool;
    this.timing = timing;
    this.random = new Random(seed);
  }

  void start() {
    Thread fresh = Thread.ofPlatform().daemon().name("fairlead keeper").unstarted(this);
    thread = fresh;
    fresh.start();
  }

  void stop() {
    synchronized (bell) {
      stopped = true;
      bell.notifyAll();
    }
    Thread running = thread;
    if (running != null && !running.equals(Thread.currentThread())) {
      try {
        running.join();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    pollers.shutdownNow();
  }

  @Override
  public void run() {
    long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(Timing.nanos(shortest())) / 4);
    while (!stopped) {
      try {
        tick(pool.now());
        synchronized (bell) {
          if (!stopped) {
            bell.wait(millis);
          }
        }
      } catch (InterruptedException nobodyDoesThat) {
        return;
      } catch (RuntimeException | Error failure) {
        // Whatever one tick ran into, the pool must not be left without a keeper.
        Lane.report(failure);
      }
    }
  }

  private Duration shortest() {
    Duration shortest = timing.poll();
    if (!timing.watchdog().isZero() && timing.watchdog().compareTo(shortest) < 0) {
      shortest = timing.watchdog();
    }
    return shortest;
  }

  /** Does what is due at {@code now}. */
  synchronized void tick(long now) {
    boolean fades = now - fadeDue >= 0;
    if (fades) {
      fadeDue = now + FADE_NANOS;
      pool.fleet().memory().floors().reset();
    }
    for (Station station : pool.fleet().stations()) {
      Ledger ledger = station.ledger();
      if (fades && !ledger.isCalm()) {
        ledger.change(standing -> standing.breaker().fade(now));
      }
      poll(station, now);
      if (LedgerWord.burden(ledger.word()) > 0) {
        look(station, now);
      }
      probe(station, now);
      if (ledger.has(LedgerWord.ATTENTION | LedgerWord.SHUT | LedgerWord.AWAITED)) {
        pool.steward().attend(station);
      }
    }
    // Waiters may now prefer a free device to the busy one they chose.
    pool.steward().serveAll();
    pool.taking().feedAll();
  }

  private void poll(Station station, long now) {
    OpenContext open = station.contexts().open();
    if (open.isMute()) {
      return;
    }
    Long due = pollDue.get(station);
    if (due != null && now - due < 0) {
      return;
    }
    long interval = Timing.nanos(timing.poll());
    pollDue.put(station, now + (long) (interval * (1 + JITTER * (random.nextDouble() - 0.5))));
    if (open.ask()) {
      asked.put(station, now);
      try {
        pollers.execute(() -> ask(station, open));
      } catch (RuntimeException | Error noThread) {
        open.answered();
        throw noThread;
      }
    } else if (now - asked.getOrDefault(station, now) > silence(interval)) {
      asked.put(station, now);
      fail(station, Fault.DEVICE, now);
    }
  }

  private static long silence(long interval) {
    return POLLS_BEFORE_SILENT * Math.min(interval, Long.MAX_VALUE / POLLS_BEFORE_SILENT);
  }

  private void ask(Station station, OpenContext open) {
    try {
      open.context()
          .sample()
          .ifPresentOrElse(sample -> station.ledger().polled(sample, pool.now()), open::mute);
    } catch (RuntimeException | Error failure) {
      boolean lost = station.classify(failure) == Fault.LOST;
      fail(station, lost ? Fault.LOST : Fault.DEVICE, pool.now());
      pool.events().tell(new PoolListener.Event.Trouble(station.device(), "polling", failure));
    } finally {
      open.answered();
    }
    pool.steward().attend(station);
  }

  private static void fail(Station station, Fault fault, long now) {
    station.ledger().change(standing -> standing.breaker().failed(fault, now));
  }

  private void look(Station station, long now) {
    Ledger ledger = station.ledger();
    if (!timing.overdue().isZero()) {
      for (Berth.Tenancy late : ledger.overdue(now, Timing.nanos(timing.overdue()))) {
        pool.events()
            .tell(
                new PoolListener.Event.Overdue(
                    station.device(), late.demand(), late.name(), late.held(now)));
      }
    }
    if (!timing.watchdog().isZero()) {
      for (Berth.Tenancy each : ledger.tenancies()) {
        if (each.working() != null && each.worked(now).compareTo(timing.watchdog()) > 0) {
          station.abandon(each.working(), each.worked(now));
        }
      }
    }
  }

  private void probe(Station station, long now) {
    Probe running = station.probing().get();
    if (running != null) {
      giveUp(station, running, now);
      return;
    }
    Probe probe = new Probe(now);
    if (!station.ledger().has(LedgerWord.SHUT)
        || station.ledger().isWorking()
        || !station.ledger().standing(standing -> standing.breaker().isProbeDue(now))
        || !station.probing().compareAndSet(null, probe)) {
      return;
    }
    if (!station.lane(0).post(() -> run(station, probe))) {
      station.probing().compareAndSet(probe, null);
    }
  }

  private void run(Station station, Probe probe) {
    if (station.isClosed()) {
      return;
    }
    boolean passed = false;
    try {
      if (station.ledger().standing(standing -> standing.breaker().contextPoisoned())) {
        station.contexts().rebuild(timing.grace());
      }
      station
          .lane(0)
          .execute(slot -> {
            slot.context().probe();
            return true;
          });
      passed = true;
    } catch (RuntimeException | Error failure) {
      if (station.classify(failure) == Fault.LOST) {
        fail(station, Fault.LOST, pool.now());
      }
      pool.events().tell(new PoolListener.Event.Trouble(station.device(), "probing", failure));
    } finally {
      if (station.probing().compareAndSet(probe, null)) {
        boolean verdict = passed;
        station.ledger().change(standing -> standing.breaker().probed(verdict, pool.now()));
      } else {
        station.contexts().closeLate(probe.comeBack());
      }
    }
    pool.steward().attend(station);
  }

  /** Gives up a probe that has not come back; the device stays in quarantine and is probed anew. */
  private void giveUp(Station station, Probe probe, long now) {
    if (now - probe.since() > Timing.nanos(timing.opening())
        && station.probing().compareAndSet(probe, null)) {
      station.abandonProbe(probe);
      station
          .ledger()
          .change(standing -> {
            standing.breaker().failed(Fault.CONTEXT, now);
            standing.breaker().probed(false, now);
          });
      String patience = timing.opening().toMillis() + " ms";
      pool.events()
          .tell(
              new PoolListener.Event.Trouble(
                  station.device(),
                  "probing",
                  new IllegalStateException("It has not come back after " + patience)));
    }
  }
}
