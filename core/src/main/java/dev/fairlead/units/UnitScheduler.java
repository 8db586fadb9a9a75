package dev.fairlead.units;

import dev.fairlead.device.DeviceId;
import dev.fairlead.device.DeviceKind;
import dev.fairlead.event.Subscription;
import dev.fairlead.lease.PoolException;
import dev.fairlead.policy.FairBooks;
import dev.fairlead.policy.Forecast;
import dev.fairlead.policy.Priority;
import dev.fairlead.policy.ServicePolicy;
import dev.fairlead.policy.Tenant;
import dev.fairlead.policy.Turn;
import dev.fairlead.pool.DevicePool;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The thread that gives waiting units to devices as the service policy says.
 *
 * <p>One virtual thread owns all books: parties, units, attempts, devices. All other threads, those
 * of the devices included, leave errands in its inbox, so there is no lock, and what was left first
 * is done first. It is subscribed to the pool, so that a device that has come, recovered, been
 * resumed or freed is an errand as well. {@link NextLook} says when it looks at the devices, and
 * how long it may sleep.
 *
 * <p>A unit's line: WAITING → TRIED → over, or back to WAITING after a failure, or ASIDE until it
 * may wait again. A try is a job of the pool on exactly one device, and there are as many on a
 * device as it has slots. Where others use the device too, the try stands in its queue, so that
 * each gets a turn; a unit that is {@linkplain UnitAttempt#isStuck stuck} there may be taken by a
 * device that can start it at once.
 */
final class UnitScheduler implements Runnable, UnitAttempt.Owner {
  private final DevicePool pool;
  private final CallbackThread callbacks;
  private final LinkedBlockingQueue<Runnable> inbox = new LinkedBlockingQueue<>();
  private final Thread thread = Thread.ofVirtual().name("fairlead units").unstarted(this);
  private final DeviceRoster roster;
  private final Forecast forecast;
  private final Stragglers stragglers;
  private final FairBooks books;
  private final OpenUnits open;
  private final CheckedServicePolicy policy;
  private final UnitEnds ends;
  private final Judge judge;
  private final AttemptEnds attempts;
  private final UnitServing serving;
  private final NextLook nextLook;
  private boolean closing;

  UnitScheduler(DevicePool pool, ServicePolicy policy, FairBooks books, CallbackThread callbacks) {
    this.pool = pool;
    this.callbacks = callbacks;
    this.books = books;
    this.roster = new DeviceRoster(pool);
    this.forecast = new Forecast(pool.options().costs(), roster.devices());
    UnitAccounts accounts = new UnitAccounts(books, forecast, pool.options().ticker());
    this.open = new OpenUnits(pool, accounts);
    this.stragglers = new Stragglers(roster, forecast);
    this.nextLook = new NextLook(pool.options().ticker());
    this.ends = new UnitEnds(open, callbacks);
    this.judge = new Judge(pool, roster, open, ends);
    this.attempts =
        new AttemptEnds(open, accounts, roster, judge, ends, stragglers, this::look, this::leave);
    this.policy =
        new CheckedServicePolicy(policy, open, roster, new UnitView(open, roster, forecast, books));
    this.serving =
        new UnitServing(
            pool,
            roster,
            open,
            books,
            ends,
            this.policy,
            stragglers,
            nextLook,
            new Assignments(roster, forecast),
            this);
  }

  Thread thread() {
    return thread;
  }

  /** Whether it sleeps until an errand comes. */
  boolean sleeps() {
    return thread.getState() == Thread.State.WAITING;
  }

  /** Leaves an errand for the scheduler's thread. */
  void leave(Runnable errand) {
    inbox.add(errand);
  }

  @Override
  public void run() {
    PoolNews news = new PoolNews(() -> leave(nextLook::atOnce), id -> leave(() -> freed(id)));
    try (Subscription _ = pool.subscribe(news)) {
      serveAll();
    }
    callbacks.stop();
  }

  private void freed(DeviceId device) {
    if (roster.knows(device)) {
      roster.wakeAll();
    } else {
      nextLook.atOnce();
    }
  }

  private void serveAll() {
    while (!closing || !open.isEmpty()) {
      try {
        runErrands();
        boolean looks = nextLook.isDue();
        if (looks) {
          look();
        }
        serving.serve();
        serving.cloneStragglers();
        if (looks) {
          nextLook.ends();
        }
      } catch (InterruptedException noThreadDoesThat) {
        // There is nothing to stop for: closing is an errand.
      } catch (RuntimeException | Error failure) {
        // Whatever went wrong, no caller must wait for ever.
        ends.endWaiting(failure);
      }
      ends.settle();
    }
  }

  private void runErrands() throws InterruptedException {
    long sleep =
        open.needsDevices() ? nextLook.sleepNanos(open, roster, stragglers) : NextLook.NEVER;
    Runnable errand =
        sleep == NextLook.NEVER ? inbox.take() : inbox.poll(sleep, TimeUnit.NANOSECONDS);
    boolean byErrand = errand != null;
    try {
      for (; errand != null; errand = inbox.poll()) {
        errand.run();
      }
    } finally {
      // After them: what an errand has changed is to be looked at, even if it looked itself.
      nextLook.awake(byErrand);
    }
  }

  private void look() {
    nextLook.begins();
    forecast.forget();
    try {
      boolean changed = roster.look();
      takeBackStuck();
      if (changed) {
        judge.judgeAll();
      }
    } catch (PoolException.PoolClosed closed) {
      ends.endWaiting(closed);
    }
    if (roster.isOutdated()) {
      nextLook.again();
    }
    roster.wakeAll();
  }

  private void takeBackStuck() {
    for (UnitAttempt attempt : List.copyOf(open.attempts())) {
      if (attempt.isStuck() && !attempt.served().serves()) {
        open.takeBack(attempt);
      }
    }
  }

  @Override
  public long now() {
    return pool.options().ticker().nanos();
  }

  @Override
  public void started(UnitAttempt attempt) {
    leave(() -> attempts.started(attempt, now()));
  }

  @Override
  public void ended(UnitAttempt attempt, UnitAttempt.Ending ending) {
    leave(() -> attempts.ended(attempt, ending, now()));
  }

  // ---- what parties ask for; each is left as an errand

  void join(PartyBooks party) {
    leave(() -> open.joined(party));
  }

  void offer(PartyBooks party, UnitTask<?> unit) {
    leave(() -> {
      party.counters().offered(unit);
      party.units().add(unit);
      open.waits(unit);
      judge.judge(unit);
      roster.wakeAll();
    });
  }

  void whole(PartyBooks party, long order, boolean value) {
    leave(() -> {
      boolean changed = value ? party.partial().remove(order) : party.partial().add(order);
      if (changed) {
        open.relist(party);
      }
    });
  }

  void strike(PartyBooks party, int group, DeviceId device, String reason) {
    leave(() -> judge.strike(party, group, device, reason));
  }

  void readmit(PartyBooks party, int group) {
    leave(() -> judge.readmit(party, group));
  }

  void priority(PartyBooks party, Priority value) {
    leave(() -> books.priority(party.job(), value));
  }

  void weigh(Tenant tenant) {
    leave(() -> books.weigh(tenant));
  }

  void park(PartyBooks party, CompletableFuture<Void> done) {
    leave(() -> {
      party.parked(true);
      for (UnitAttempt attempt : List.copyOf(open.attempts())) {
        if (attempt.unit().party() == party.number() && !attempt.hasStarted()) {
          open.takeBack(attempt);
        }
      }
      open.relist(party);
      if (party.isLeaving() || closing) {
        ends.withdraw(party, "The party is parked and leaves");
      }
      ends.reportParked(party, done);
    });
  }

  void goOn(PartyBooks party) {
    leave(() -> {
      party.parked(false);
      open.relist(party);
      roster.wakeAll();
    });
  }

  /** What a parked party has waiting will not be done. */
  void leave(PartyBooks party, boolean cancels) {
    leave(() -> {
      ends.leaves(party);
      if (cancels) {
        ends.cancel(party, "The party has left the unit queue");
      } else if (party.isParked()) {
        ends.withdraw(party, "The party is parked and leaves");
      }
    });
  }

  /** Whose turn it would be on a device; empty if the policy does not share, or knows no such. */
  void turn(DeviceId device, CompletableFuture<Optional<Turn>> answer) {
    leave(() -> {
      books.pass(now());
      answer.complete(
          roster.all().stream()
              .filter(served -> served.id().equals(device))
              .findFirst()
              .flatMap(served -> policy.turn(served, now())));
    });
  }

  /** How many units drivers let run at once, by kind of device. Any thread may ask. */
  Map<DeviceKind, Integer> sessions() {
    return roster.sessions().learned();
  }

  void close(boolean cancels) {
    leave(() -> {
      closing = true;
      for (PartyBooks party : List.copyOf(open.parties())) {
        ends.leaves(party);
        if (cancels) {
          ends.cancel(party, "The unit queue was closed");
        } else if (party.isParked()) {
          ends.withdraw(party, "The party is parked, and the unit queue was closed");
        }
      }
    });
  }
}
