package dev.fairlead.units;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.device.Fault;
import dev.fairlead.outcome.Outcome;
import dev.fairlead.outcome.TaskException;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Forecast;
import dev.fairlead.policy.Placement;
import dev.fairlead.policy.ServicePolicy;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.PoolException;
import dev.fairlead.pool.Subscription;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Gives waiting units to devices as the service policy says.
 *
 * <p>One virtual thread owns all books: units, attempts, devices. Everybody else, the devices'
 * threads included, leaves errands in its inbox, so there is no lock, and whoever left something
 * first is heard first. It is subscribed to the pool, so that a device that has come, recovered,
 * been resumed or freed is an errand as well. {@link NextLook} says when it looks at the devices,
 * and how long it may sleep.
 *
 * <p>A unit's line: WAITING → TRIED → over, or back to WAITING after a failure. A try is a job of
 * the pool on exactly one device, and there are as many on a device as it has slots. Where others
 * use the device too, the try stands in its queue, so that everybody gets a turn; a unit that is
 * {@linkplain UnitAttempt#isStuck stuck} there may be taken by a device that can start it at once.
 */
final class UnitScheduler implements Runnable, UnitAttempt.Owner {
  private final DevicePool pool;
  private final ServiceOptions options;
  private final UnitCounters counters;
  private final CallbackThread callbacks;
  private final LinkedBlockingQueue<Runnable> inbox = new LinkedBlockingQueue<>();
  private final DeviceRoster roster;
  private final Forecast forecast;
  private final CheckedServicePolicy service;
  private final Stragglers stragglers;
  private final OpenUnits open;
  private final NextLook nextLook;
  private boolean closing;

  UnitScheduler(
      DevicePool pool,
      ServicePolicy policy,
      int groups,
      ServiceOptions options,
      CallbackThread callbacks) {
    this.pool = pool;
    this.options = options;
    this.counters = new UnitCounters(groups);
    this.open = new OpenUnits(pool, counters);
    this.callbacks = callbacks;
    this.roster = new DeviceRoster(pool, groups);
    this.forecast = new Forecast(pool.options().costs(), roster.devices());
    this.service = new CheckedServicePolicy(policy, roster, forecast);
    this.stragglers = new Stragglers(roster, forecast);
    this.nextLook = new NextLook(pool.options().ticker());
  }

  UnitCounters counters() {
    return counters;
  }

  /** Leaves an errand for the scheduler's thread. */
  void leave(Runnable errand) {
    inbox.add(errand);
  }

  @Override
  public void run() {
    PoolNews news = new PoolNews(() -> leave(nextLook::atOnce), () -> leave(this::wakeAll));
    try (Subscription _ = pool.subscribe(news)) {
      serveAll();
    }
    callbacks.stop();
  }

  private void serveAll() {
    while (!closing || !open.isEmpty()) {
      try {
        hear();
        boolean looks = nextLook.isDue();
        if (looks) {
          look();
        }
        serve();
        cloneStragglers();
        if (looks) {
          nextLook.ends();
        }
      } catch (InterruptedException nobodyDoesThat) {
        // There is nothing to stop for: closing is an errand.
      } catch (RuntimeException | Error failure) {
        // Whatever went wrong, nobody must wait for ever.
        endWaiting(failure);
      }
    }
  }

  private void hear() throws InterruptedException {
    long sleep =
        open.needsDevices(options.clones())
            ? nextLook.sleepNanos(open, roster, stragglers, options.clones())
            : NextLook.NEVER;
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
        judgeAll();
      }
    } catch (PoolException.PoolClosed closed) {
      endWaiting(closed);
    }
    if (roster.isOutdated()) {
      nextLook.again();
    }
    wakeAll();
  }

  private void takeBackStuck() {
    for (UnitAttempt attempt : List.copyOf(open.attempts())) {
      if (attempt.isStuck() && !attempt.served().serves()) {
        open.takeBack(attempt);
      }
    }
  }

  void offered(UnitTask<?> unit) {
    counters.offered(unit);
    open.waiting().add(unit);
    judge(unit, new IdentityHashMap<>());
    wakeAll();
  }

  @Override
  public void started(UnitAttempt attempt) {
    leave(() -> hasStarted(attempt));
  }

  @Override
  public void ended(UnitAttempt attempt, UnitAttempt.Ending ending) {
    leave(() -> hasEnded(attempt, ending));
  }

  private void hasStarted(UnitAttempt attempt) {
    UnitTask<?> unit = attempt.unit();
    if (!unit.isOver() && !unit.runs()) {
      counters.runs(unit, true);
    }
    ServedDevice served = attempt.served();
    attempt.begun(now(), served.ends(), roster.sessions().ends(served));
    if (attempt.isClone()) {
      counters.cloned(served.device());
    }
    tell(new UnitListener.Event.Started(unit, served.device(), attempt.isClone()));
  }

  private void hasEnded(UnitAttempt attempt, UnitAttempt.Ending ending) {
    if (!open.attempts().contains(attempt)) {
      return;
    }
    UnitTask<?> unit = attempt.unit();
    ServedDevice served = attempt.served();
    if (attempt.hasStarted()) {
      counters.busy(served.device(), attempt.elapsedNanos(now()));
    }
    open.release(attempt);
    boolean busy =
        ending instanceof UnitAttempt.Ending.Failed(Throwable cause)
            && Fault.of(cause) == Fault.BUSY;
    if (!busy) {
      served.ended();
    }
    if (unit.isOver()) {
      return;
    }
    switch (ending) {
      case UnitAttempt.Ending.Done(Object value, var load, long nanos) -> {
        roster.sessions().succeeded(served, attempt.isBeyond());
        stragglers.ended(value);
        end(unit, unit.committed(value, served.device(), load, nanos));
      }
      case UnitAttempt.Ending.Failed(UnfitForGroup signal) -> {
        strike(unit.group(), served.id(), String.valueOf(signal.getMessage()));
        requeue(unit, served, signal);
      }
      case UnitAttempt.Ending.Failed(Throwable cause)
          when busy && roster.sessions().refused(attempt, now()) ->
          requeue(unit, served, cause);
      case UnitAttempt.Ending.Failed(Throwable cause) -> failed(unit, served, cause);
      case UnitAttempt.Ending.Unplaced(PoolException.Rejected reason) ->
          requeue(unit, served, reason);
      case UnitAttempt.Ending.Unplaced(Throwable reason) -> refused(unit, reason);
    }
  }

  private void failed(UnitTask<?> unit, ServedDevice served, Throwable cause) {
    unit.failed(served.device(), cause);
    counters.failed(served.device());
    // How things stand decides whether somebody is left to try it.
    look();
    if (unit.failures().areTooMany(options.tries(), roster.hasFresh(unit))) {
      refused(unit, cause);
    } else {
      requeue(unit, served, cause);
    }
  }

  void strike(int group, DeviceId device, String reason) {
    if (!roster.strike(group, device, reason)) {
      return;
    }
    tell(new UnitListener.Event.StruckOff(group, device, reason));
    for (UnitAttempt attempt : List.copyOf(open.attempts())) {
      if (attempt.unit().group() == group
          && attempt.served().id().equals(device)
          && !attempt.hasStarted()) {
        open.takeBack(attempt);
      }
    }
    judgeAll();
    wakeAll();
  }

  void readmit(int group) {
    roster.readmit(group);
    wakeAll();
  }

  void close() {
    closing = true;
  }

  void cancel() {
    closing = true;
    open.all().forEach(unit -> end(unit, new Outcome.Cancelled<>("The unit queue was closed")));
  }

  private void requeue(UnitTask<?> unit, ServedDevice from, Throwable reason) {
    if (!unit.attempts().isEmpty()) {
      return;
    }
    if (Fault.of(reason) != Fault.BUSY || !from.refusedBefore()) {
      tell(new UnitListener.Event.Requeued(unit, from.device(), reason));
    }
    open.waiting().add(unit);
    judge(unit, new IdentityHashMap<>());
    wakeAll();
  }

  private void judgeAll() {
    IdentityHashMap<Demand, List<Device>> known = new IdentityHashMap<>();
    for (UnitTask<?> unit : List.copyOf(open.waiting())) {
      judge(unit, known);
    }
    for (UnitAttempt attempt : List.copyOf(open.attempts())) {
      if (!attempt.hasStarted() || options.clones()) {
        judge(attempt.unit(), known);
      }
    }
  }

  /** Works out who can take a unit, and ends it if it waits and nobody ever can. */
  private void judge(UnitTask<?> unit, IdentityHashMap<Demand, List<Device>> known) {
    Throwable reason;
    try {
      List<Device> candidates = known.computeIfAbsent(unit.demand(), pool::candidatesFor);
      unit.able(roster.numbers(candidates));
      if (!roster.areStruckOff(unit.group(), candidates)) {
        return;
      }
      reason = new TaskException.GroupStruckOff(unit.group(), roster.strikes(unit.group()));
    } catch (PoolException.Rejected nobodyEver) {
      reason = nobodyEver;
    }
    refused(unit, reason);
  }

  /** Nobody will take the unit; if it runs somewhere as well, that decides. */
  private void refused(UnitTask<?> unit, Throwable reason) {
    if (unit.attempts().isEmpty()) {
      end(unit, new Outcome.Failed<>(reason, unit.failures().attempts()));
    }
  }

  private void end(UnitTask<?> unit, Outcome<?> outcome) {
    if (unit.isOver()) {
      return;
    }
    if (unit.runs()) {
      counters.runs(unit, false);
    }
    open.waiting().remove(unit);
    unit.end(outcome);
    counters.ended(unit, outcome);
    for (UnitAttempt attempt : List.copyOf(unit.attempts())) {
      attempt.cancel();
      open.takeBack(attempt);
    }
    callbacks.tell(unit::reportEnd);
    tell(new UnitListener.Event.Ended(unit, outcome));
  }

  private void endWaiting(Throwable failure) {
    for (UnitTask<?> unit : List.copyOf(open.waiting())) {
      end(unit, new Outcome.Failed<>(failure, unit.failures().attempts()));
    }
  }

  /** Devices that others use as well come last: what is idle can start at once. */
  private void serve() {
    for (ServedDevice served : roster.unsharedFirst()) {
      while (roster.haveRoom(served, now()) && !served.isResting()) {
        served.rests(!serve(served));
      }
    }
  }

  /** Gives the device one more unit; false if there is none for it now. */
  private boolean serve(ServedDevice served) {
    UnitTask<?> unit =
        service.choose(
            CheckedServicePolicy.withStuck(open.waiting(), open.attempts()), served, now());
    if (unit != null && !unit.attempts().isEmpty()) {
      boolean freed = startsNow(unit, served) && open.takeBack(unit.attempts().getFirst());
      unit = freed ? unit : service.choose(open.waiting(), served, now());
    }
    return unit != null && launch(unit, served, false);
  }

  /** Leaves the unit with the pool, for exactly this device; false if it does not take it. */
  private boolean launch(UnitTask<?> unit, ServedDevice served, boolean clone) {
    try {
      open.launch(new UnitAttempt(this, unit, served, clone, roster.sessions().areTaken(served)));
      return true;
    } catch (PoolException refused) {
      nextLook.atOnce();
      if (!(refused instanceof PoolException.Rejected)) {
        refused(unit, refused);
      }
      return false;
    }
  }

  private boolean startsNow(UnitTask<?> unit, ServedDevice served) {
    return pool.peek(unit.demandOn(served)) instanceof Placement.Place;
  }

  private void wakeAll() {
    roster.all().forEach(served -> served.rests(false));
  }

  /** When nothing waits, idle devices try what they would finish sooner than who has it. */
  private void cloneStragglers() {
    if (!options.clones() || !open.waiting().isEmpty()) {
      return;
    }
    for (ServedDevice served : roster.all()) {
      if (roster.haveRoom(served, now()) && !served.isShared()) {
        UnitAttempt straggler = stragglers.worthCloning(open.attempts(), served, now());
        if (straggler != null && startsNow(straggler.unit(), served)) {
          straggler.unit().cloned();
          launch(straggler.unit(), served, true);
        }
      }
    }
  }

  private void tell(UnitListener.Event event) {
    callbacks.tell(() -> options.listener().on(event));
  }

  @Override
  public long now() {
    return pool.options().ticker().nanos();
  }
}
