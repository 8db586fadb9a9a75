package dev.fairlead.pool;

import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.Fault;
import dev.fairlead.device.Timespan;
import dev.fairlead.event.PoolListener;
import dev.fairlead.ledger.Ledger;
import dev.fairlead.ledger.LedgerWord;
import dev.fairlead.ledger.RunningSlot;
import dev.fairlead.notify.ForeignCode;
import dev.fairlead.run.DeviceRuntime;
import dev.fairlead.run.DeviceThread;
import dev.fairlead.run.OpenContext;
import dev.fairlead.run.Probe;
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
 * device that does not answer costs one thread and delays no other. A poll that fails, or that is
 * not answered within {@link #POLLS_BEFORE_SILENT} intervals, is a fault of the device, so that a
 * dead device does not keep its last, idle-looking load.
 */
final class PoolMaintenance implements Runnable {
  private static final int POLLS_BEFORE_SILENT = 8;
  private static final double JITTER = 0.2;
  private static final long FADE_NANOS = Duration.ofSeconds(1).toNanos();

  private final PoolCore pool;
  private final Timing timing;
  private final Random random;
  private final ExecutorService pollers =
      Executors.newCachedThreadPool(
          Thread.ofPlatform().daemon().name("fairlead poller ", 0).factory());
  private final Map<DeviceRuntime, Long> pollDue = new WeakHashMap<>();
  private final Map<DeviceRuntime, Long> asked = new WeakHashMap<>();
  private long fadeDue;
  private final Object bell = new Object();
  private volatile boolean stopped;
  private volatile @Nullable Thread thread;

  PoolMaintenance(PoolCore pool, Timing timing, long seed) {
    this.pool = pool;
    this.timing = timing;
    this.random = new Random(seed);
  }

  void start() {
    Thread fresh = Thread.ofPlatform().daemon().name("fairlead maintenance").unstarted(this);
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
        // Whatever one tick ran into, the pool must not be left without a maintenance thread.
        ForeignCode.report(failure);
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
    for (DeviceRuntime runtime : pool.fleet().runtimes()) {
      Ledger ledger = runtime.ledger();
      if (fades && !ledger.isCalm()) {
        ledger.change(serving -> serving.breaker().fade(now));
      }
      poll(runtime, now);
      if (LedgerWord.burden(ledger.word()) > 0) {
        look(runtime, now);
      }
      probe(runtime, now);
      if (ledger.has(LedgerWord.ATTENTION | LedgerWord.SHUT | LedgerWord.AWAITED)) {
        pool.endings().attend(runtime);
      }
    }
    // Waiters may now prefer a free device to the busy one they chose.
    pool.endings().serveAll();
    pool.stealing().feedAll();
  }

  private void poll(DeviceRuntime runtime, long now) {
    OpenContext open = runtime.contexts().open();
    if (open.isMute()) {
      return;
    }
    Long due = pollDue.get(runtime);
    if (due != null && now - due < 0) {
      return;
    }
    long interval = Timing.nanos(timing.poll());
    pollDue.put(runtime, now + (long) (interval * (1 + JITTER * (random.nextDouble() - 0.5))));
    if (open.ask()) {
      asked.put(runtime, now);
      try {
        pollers.execute(() -> ask(runtime, open));
      } catch (RuntimeException | Error noThread) {
        open.answered();
        throw noThread;
      }
    } else if (now - asked.getOrDefault(runtime, now) > silence(interval)) {
      asked.put(runtime, now);
      fail(runtime, Fault.DEVICE, now);
    }
  }

  private static long silence(long interval) {
    return POLLS_BEFORE_SILENT * Math.min(interval, Long.MAX_VALUE / POLLS_BEFORE_SILENT);
  }

  private void ask(DeviceRuntime runtime, OpenContext open) {
    try {
      open.context().sample().ifPresentOrElse(sample -> polled(runtime, sample), open::mute);
    } catch (RuntimeException | Error failure) {
      boolean lost = runtime.classify(failure) == Fault.LOST;
      fail(runtime, lost ? Fault.LOST : Fault.DEVICE, pool.now());
      pool.events().tell(new PoolListener.Event.Trouble(runtime.device(), "polling", failure));
    } finally {
      open.answered();
    }
    pool.endings().attend(runtime);
  }

  private void polled(DeviceRuntime runtime, DeviceContext.Sample sample) {
    runtime.ledger().polled(sample, pool.now());
    // Another program may have given memory back.
    pool.events().tellFreed(runtime.device());
  }

  private static void fail(DeviceRuntime runtime, Fault fault, long now) {
    runtime.ledger().change(serving -> serving.breaker().failed(fault, now));
  }

  private void look(DeviceRuntime runtime, long now) {
    Ledger ledger = runtime.ledger();
    if (!timing.overdue().isZero()) {
      for (RunningSlot.Tenancy late : ledger.overdue(now, Timing.nanos(timing.overdue()))) {
        pool.events()
            .tell(
                new PoolListener.Event.Overdue(
                    runtime.device(), late.demand(), late.name(), late.held(now)));
      }
    }
    if (!timing.watchdog().isZero()) {
      for (RunningSlot.Tenancy each : ledger.tenancies()) {
        if (each.working() != null && each.worked(now).compareTo(timing.watchdog()) > 0) {
          runtime.abandon(each.working(), each.worked(now));
        }
      }
    }
  }

  private void probe(DeviceRuntime runtime, long now) {
    Probe running = runtime.probing().get();
    if (running != null) {
      giveUp(runtime, running, now);
      return;
    }
    Probe probe = new Probe(now);
    if (!runtime.ledger().has(LedgerWord.SHUT)
        || runtime.ledger().isWorking()
        || !runtime.ledger().serving(serving -> serving.breaker().isProbeDue(now))
        || !runtime.probing().compareAndSet(null, probe)) {
      return;
    }
    DeviceThread its = runtime.deviceThread(0);
    if (!its.post(() -> run(runtime, its, probe))) {
      runtime.probing().compareAndSet(probe, null);
    }
  }

  private void run(DeviceRuntime runtime, DeviceThread its, Probe probe) {
    if (runtime.isClosed()) {
      return;
    }
    boolean passed = false;
    try {
      if (runtime.ledger().serving(serving -> serving.breaker().contextPoisoned())) {
        runtime.contexts().rebuild(timing.grace());
      }
      its.execute(slot -> {
        slot.context().probe();
        return true;
      });
      passed = true;
    } catch (RuntimeException | Error failure) {
      if (runtime.classify(failure) == Fault.LOST) {
        fail(runtime, Fault.LOST, pool.now());
      }
      pool.events().tell(new PoolListener.Event.Trouble(runtime.device(), "probing", failure));
    } finally {
      if (runtime.probing().compareAndSet(probe, null)) {
        boolean verdict = passed;
        runtime.ledger().change(serving -> serving.breaker().probed(verdict, pool.now()));
      } else {
        runtime.contexts().closeLate(probe.comeBack());
      }
    }
    pool.endings().attend(runtime);
  }

  /** Gives up a probe that has not come back; the device stays in quarantine and is probed anew. */
  private void giveUp(DeviceRuntime runtime, Probe probe, long now) {
    if (now - probe.since() > Timing.nanos(timing.opening())
        && runtime.probing().compareAndSet(probe, null)) {
      runtime.abandonProbe(probe);
      runtime
          .ledger()
          .change(serving -> {
            serving.breaker().failed(Fault.CONTEXT, now);
            serving.breaker().probed(false, now);
          });
      pool.events()
          .tell(
              new PoolListener.Event.Trouble(
                  runtime.device(),
                  "probing",
                  new IllegalStateException(
                      "It has not come back after " + Timespan.of(timing.opening()))));
    }
  }
}
