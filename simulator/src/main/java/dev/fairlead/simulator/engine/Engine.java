package dev.fairlead.simulator.engine;

import dev.fairlead.device.Fault;
import dev.fairlead.health.Breaker;
import dev.fairlead.health.Health;
import dev.fairlead.simulator.fleet.DeviceSpec;
import dev.fairlead.simulator.workload.Arrival;
import dev.fairlead.simulator.workload.Workload;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A discrete-event simulation of devices that run work.
 *
 * <p>Time jumps from event to event. All state is in arrays of primitives; an event is one long:
 * its type, a generation that tells whether it still means anything, and an index. A {@link
 * Discipline} decides which device runs what, by the production policies; this class knows only how
 * long things take and what goes wrong. Health is the pool's own {@link Breaker}.
 *
 * <p>It ends when all work has ended, or when nothing can end any more; what is left then is lost.
 */
public final class Engine {
  static final int GENERATIONS = (1 << 24) - 1;

  private static final int END = 1;
  private static final int WATCHDOG = 2;
  private static final int MISHAP = 3;
  private static final int PROBE = 4;
  private static final int FADE = 5;
  private static final int FLAP = 6;
  private static final int POLL = 7;
  private static final int LOOK = 8;

  private static final long SECOND = 1_000_000_000;
  private static final long LOOK_NANOS = SECOND / 50;
  private static final int DEVICES_PER_LOOK = 16;
  private static final long PATIENCE = 3600 * SECOND;

  private final Scenario scenario;
  private final Machines machines;
  private final Tasks tasks = new Tasks();
  private final Knowledge knowledge;
  private final Tally tally;
  private final Fate fate;
  private final EventQueue queue = new EventQueue();
  private final Discipline discipline;
  private final @Nullable Observer observer;
  private final Workload.Stream stream;
  private final Arrival arrival = new Arrival();
  private final long lookNanos;
  private boolean more;
  private long nextArrival;
  private boolean looking;
  private long now;
  private long events;
  private long lastProgress;

  /** A simulation whose discipline is made for it. */
  public Engine(
      Scenario scenario, Function<Engine, Discipline> discipline, @Nullable Observer observer) {
    this.scenario = scenario;
    this.machines = new Machines(scenario.fleet());
    this.knowledge = new Knowledge(scenario, machines);
    this.tally = new Tally(scenario);
    this.fate = new Fate(this, machines, scenario.mishaps());
    this.observer = observer;
    this.stream = scenario.workload().open(scenario.seed(), scenario.fleet().capacity());
    this.lookNanos = LOOK_NANOS * Math.max(1, machines.size() / DEVICES_PER_LOOK);
    this.discipline = discipline.apply(this);
  }

  public Machines machines() {
    return machines;
  }

  public Tasks tasks() {
    return tasks;
  }

  public Knowledge knowledge() {
    return knowledge;
  }

  public Scenario scenario() {
    return scenario;
  }

  public long now() {
    return now;
  }

  // ---- what a discipline asks for

  /** Starts a task in a free slot of the device. */
  public void start(int task, int device) {
    double predicted = knowledge.seconds(tasks.group(task), device, tasks.size(task));
    int slot = machines.enter(task, device, predicted, now);
    tasks.copies(task, tasks.copies(task) + 1);
    if (machines.hung[device]) {
      add(scenario.conditions().watchdogSeconds(), WATCHDOG, slot, machines.generation[slot]);
      return;
    }
    DeviceSpec spec = machines.spec(device);
    double seconds =
        spec.overheads().item()
            + spec.overheads().transfer() * tasks.size(task)
            + tasks.cost(task) / spec.speed() * machines.slowness[device];
    if (machines.cold[device]) {
      machines.cold[device] = false;
      seconds += spec.overheads().startUp();
    }
    endAt(slot, now + nanos(seconds));
  }

  /** Whether more comes at this very moment. */
  public boolean isArriving() {
    return nextArrival <= now;
  }

  /** Asks for a look in a while. */
  public void lookLater() {
    if (!looking) {
      looking = true;
      queue.add(now + lookNanos, EventQueue.event(LOOK, 0, 0));
    }
  }

  /** The task counts as moved: it stood in the line of a device that stopped serving. */
  public void moved() {
    tally.countMoved();
  }

  /** Runs to the end. */
  public Tally run() {
    prepare();
    receive();
    while (more || tasks.live() > 0) {
      if (nextArrival <= queue.time()) {
        if (!more) {
          break;
        }
        now = nextArrival;
        int task = tasks.add(arrival, now);
        tally.arrived(arrival);
        receive();
        discipline.arrived(task);
        lastProgress = now;
      } else {
        now = queue.time();
        long event = queue.event();
        queue.removeFirst();
        handle(event);
        if (isStuck()) {
          break;
        }
      }
      events++;
      if (observer != null) {
        observer.waiting(now, tasks.live() - machines.runningInAll());
      }
    }
    tally.ended(machines, lastProgress, tasks.live(), events);
    return tally;
  }

  private void receive() {
    more = stream.next(arrival);
    nextArrival = more ? nanos(arrival.seconds) : Long.MAX_VALUE;
  }

  private boolean isStuck() {
    return !more && fate.isDone() && machines.runningInAll() == 0 && now - lastProgress > PATIENCE;
  }

  private void prepare() {
    fate.prepare();
    double stale = scenario.conditions().staleSeconds();
    if (stale > 0) {
      for (int device = 0; device < machines.size(); device++) {
        add(stale * (device + 1) / machines.size(), POLL, device, 0);
      }
    }
  }

  private void handle(long event) {
    int index = (int) event;
    int generation = (int) (event >>> 32) & GENERATIONS;
    switch ((int) (event >>> 56)) {
      case END -> {
        if (generation == machines.generation[index]) {
          end(index);
        }
      }
      case WATCHDOG -> {
        if (generation == machines.generation[index]) {
          fail(index, machines.deviceOf(index), Fault.CONTEXT);
        }
      }
      case MISHAP -> fate.befall(index);
      case PROBE -> probe(index);
      case FADE -> fade(index);
      case FLAP -> {
        fate.flap(index);
        discipline.changed(index);
      }
      case POLL -> {
        discipline.polled(index);
        add(scenario.conditions().staleSeconds(), POLL, index, 0);
      }
      case LOOK -> {
        looking = false;
        discipline.look();
      }
      default -> throw new IllegalStateException("no such event: " + event);
    }
  }

  private void end(int slot) {
    int device = machines.deviceOf(slot);
    int task = machines.task[slot];
    int group = tasks.group(task);
    double size = tasks.size(task);
    long held = now - machines.startedAt[slot];
    tell(slot, device, Observer.Ending.DONE);
    machines.leave(slot, device, size, now);
    if (machines.calmed(device)) {
      discipline.changed(device);
    }
    knowledge.learn(group, device, size, held / 1e9);
    tasks.copies(task, tasks.copies(task) - 1);
    if (tasks.copies(task) > 0) {
      overtake(task);
    }
    tally.done(tasks.order(task), now - tasks.arrived(task));
    lastProgress = now;
    // Its number is free for others only after everybody has heard of the end.
    discipline.ended(task, device);
    tasks.remove(task);
  }

  /** Another device was first with it: whoever has it too lets go. */
  private void overtake(int task) {
    for (int slot = 0; slot < machines.task.length; slot++) {
      if (machines.task[slot] == task) {
        int device = machines.deviceOf(slot);
        tell(slot, device, Observer.Ending.OVERTAKEN);
        machines.leave(slot, device, 0, now);
        tasks.copies(task, tasks.copies(task) - 1);
        discipline.failed(task, device);
        discipline.changed(device);
      }
    }
  }

  private void fail(int slot, int device, Fault fault) {
    int task = machines.task[slot];
    tell(slot, device, Observer.Ending.FAILED);
    machines.leave(slot, device, 0, now);
    blame(device, fault);
    tasks.copies(task, tasks.copies(task) - 1);
    tasks.failed(task, device);
    discipline.failed(task, device);
    discipline.changed(device);
    if (tasks.copies(task) > 0) {
      return;
    }
    if (tasks.failures(task) >= scenario.conditions().tries()) {
      tally.countLost();
      tasks.remove(task);
    } else {
      tally.countMoved();
      discipline.again(task);
    }
  }

  private void blame(int device, Fault fault) {
    Breaker known = machines.breaker(device);
    boolean fading = known != null && !known.isCalm();
    Breaker breaker = machines.failed(device, fault, now);
    if (!fading) {
      queue.add(now + SECOND, EventQueue.event(FADE, device, 0));
    }
    probeLater(breaker, device);
  }

  private void probeLater(Breaker breaker, int device) {
    if (breaker.health() == Health.QUARANTINED) {
      queue.add(now + breaker.untilProbe(now).toNanos(), EventQueue.event(PROBE, device, 0));
    }
  }

  private void probe(int device) {
    Breaker breaker = machines.breaker(device);
    if (breaker == null || !breaker.isProbeDue(now)) {
      return;
    }
    breaker.probed(!machines.down[device] && !machines.hung[device], now);
    probeLater(breaker, device);
    if (breaker.health() == Health.PROBING) {
      machines.cold[device] = true;
      discipline.changed(device);
    }
  }

  private void fade(int device) {
    Breaker breaker = machines.breaker(device);
    if (breaker == null || breaker.isCalm()) {
      return;
    }
    int before = breaker.handicap();
    breaker.fade(now);
    if (breaker.handicap() != before) {
      discipline.changed(device);
    }
    if (!breaker.isCalm()) {
      queue.add(now + SECOND, EventQueue.event(FADE, device, 0));
    }
  }

  // ---- for the fate of devices

  /** All that runs on the device fails; the device is blamed also if nothing does. */
  void stop(int device, Fault fault) {
    machines.down[device] = true;
    for (int slot = machines.firstSlot(device); slot < machines.lastSlot(device); slot++) {
      if (machines.task[slot] != Tasks.NONE) {
        fail(slot, device, fault);
      }
    }
    if (machines.serves(device)) {
      blame(device, fault); // nothing ran: the next poll finds it gone
    }
  }

  /** What happens together, as numbered, happens then. */
  void befallLater(double seconds, int together) {
    add(seconds, MISHAP, together, 0);
  }

  void shut(int device) {
    discipline.shut(device);
  }

  void changed(int device) {
    discipline.changed(device);
  }

  void flapLater(int device, double seconds) {
    add(seconds, FLAP, device, 0);
  }

  /** What is in the slot ends at another time than it seemed. */
  void endAnew(int slot, long time) {
    machines.generation[slot] = (machines.generation[slot] + 1) & GENERATIONS;
    endAt(slot, time);
  }

  /** What is in the slot does not end by itself. */
  void neverEnd(int slot) {
    machines.generation[slot] = (machines.generation[slot] + 1) & GENERATIONS;
    add(scenario.conditions().watchdogSeconds(), WATCHDOG, slot, machines.generation[slot]);
  }

  // ---- events

  private void endAt(int slot, long time) {
    machines.endsAt[slot] = time;
    queue.add(time, EventQueue.event(END, slot, machines.generation[slot]));
  }

  private void add(double seconds, int type, int index, int generation) {
    queue.add(now + nanos(seconds), EventQueue.event(type, index, generation));
  }

  private static long nanos(double seconds) {
    return Math.round(seconds * SECOND);
  }

  private void tell(int slot, int device, Observer.Ending ending) {
    if (observer != null) {
      int task = machines.task[slot];
      observer.left(
          new Observer.Stay(
              device,
              slot - machines.firstSlot(device),
              tasks.group(task),
              tasks.order(task),
              machines.startedAt[slot],
              now),
          ending);
    }
  }
}
