package dev.fairlead.simulator.engine;

import dev.fairlead.device.Fault;
import dev.fairlead.health.Breaker;
import dev.fairlead.health.Health;
import dev.fairlead.policy.StragglerRule;
import dev.fairlead.simulator.fleet.DeviceSpec;
import dev.fairlead.simulator.fleet.FleetSpec;
import dev.fairlead.stats.DecayedRate;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The devices as they are at one moment: what runs in which slot, how fast, in which health. */
public final class Machines {
  final FleetSpec fleet;
  private final int[] firstSlot;
  private final int[] owner;

  // By slot.
  final int[] task;
  final long[] startedAt;
  final long[] endsAt;
  final int[] generation;
  private final double[] predicted;

  // By device.
  final double[] slowness;
  final boolean[] present;
  final boolean[] down;
  final boolean[] hung;
  final boolean[] cold;
  final double[] flapSeconds;
  private final int[] running;
  private final long[] busySince;
  private final long[] busyNanos;
  private final long[] lastEnd;
  private final long[] done;
  private final DecayedRate[] rates;
  private final @Nullable Breaker[] breakers;
  private int runningInAll;

  Machines(FleetSpec fleet) {
    this.fleet = fleet;
    int size = fleet.size();
    firstSlot = new int[size + 1];
    for (int device = 0; device < size; device++) {
      firstSlot[device + 1] = firstSlot[device] + spec(device).limits().slots();
    }
    int slots = firstSlot[size];
    owner = new int[slots];
    for (int device = 0; device < size; device++) {
      Arrays.fill(owner, firstSlot[device], firstSlot[device + 1], device);
    }
    task = new int[slots];
    Arrays.fill(task, Tasks.NONE);
    startedAt = new long[slots];
    endsAt = new long[slots];
    generation = new int[slots];
    predicted = new double[slots];
    slowness = new double[size];
    Arrays.fill(slowness, 1);
    present = new boolean[size];
    Arrays.fill(present, true);
    down = new boolean[size];
    hung = new boolean[size];
    cold = new boolean[size];
    Arrays.fill(cold, true);
    flapSeconds = new double[size];
    running = new int[size];
    busySince = new long[size];
    busyNanos = new long[size];
    lastEnd = new long[size];
    done = new long[size];
    rates = new DecayedRate[size];
    Arrays.setAll(rates, _ -> new DecayedRate());
    breakers = new Breaker[size];
  }

  public int size() {
    return fleet.size();
  }

  public DeviceSpec spec(int device) {
    return fleet.devices().get(device);
  }

  int firstSlot(int device) {
    return firstSlot[device];
  }

  int lastSlot(int device) {
    return firstSlot[device + 1];
  }

  int deviceOf(int slot) {
    return owner[slot];
  }

  /** Work per second of busy time as far as it was measured; NaN while it was not. */
  public double rate(int device) {
    return rates[device].perSecond();
  }

  DecayedRate measured(int device) {
    return rates[device];
  }

  public boolean serves(int device) {
    return present[device] && health(device).serves();
  }

  /** Takes no more while so much is outstanding on it. */
  public boolean isShut(int device, int outstanding) {
    return !present[device] || health(device).isShut(outstanding);
  }

  /** Has joined, and has not left or been lost. */
  public boolean isThere(int device) {
    return present[device];
  }

  /** Serves, and has room for one more. */
  public boolean isFree(int device) {
    return serves(device) && hasFreeSlot(device) && !isShut(device, running[device]);
  }

  private Health health(int device) {
    Breaker breaker = breakers[device];
    return breaker == null ? Health.READY : breaker.health();
  }

  /** Items that the device carries in the eyes of placement, for having failed. */
  public int handicap(int device) {
    Breaker breaker = breakers[device];
    return breaker == null ? 0 : breaker.handicap();
  }

  @Nullable Breaker breaker(int device) {
    return breakers[device];
  }

  Breaker failed(int device, Fault fault, long now) {
    Breaker breaker = breakers[device];
    if (breaker == null) {
      breaker = new Breaker();
      breakers[device] = breaker;
    }
    breaker.failed(fault, now);
    return breaker;
  }

  /** As new. */
  void forgive(int device) {
    breakers[device] = null;
  }

  public boolean hasFreeSlot(int device) {
    return running[device] < slots(device);
  }

  public int slots(int device) {
    return firstSlot[device + 1] - firstSlot[device];
  }

  /** What runs in one of the device's slots; {@link Tasks#NONE} if nothing does. */
  public int task(int device, int slot) {
    return task[firstSlot[device] + slot];
  }

  /** How long it has run there. */
  public double elapsedSeconds(int device, int slot, long now) {
    return (now - startedAt[firstSlot[device] + slot]) / 1e9;
  }

  public int running(int device) {
    return running[device];
  }

  int runningInAll() {
    return runningInAll;
  }

  /** Seconds since the device last did something; zero while it works or never did. */
  public double idleSeconds(int device, long now) {
    return running[device] > 0 || lastEnd[device] == 0 ? 0 : (now - lastEnd[device]) / 1e9;
  }

  /** Predicted seconds of what runs on the device. */
  public double runningSeconds(int device, long now) {
    double seconds = 0;
    for (int slot = firstSlot[device]; slot < firstSlot[device + 1]; slot++) {
      if (task[slot] != Tasks.NONE && !Double.isNaN(predicted[slot])) {
        seconds += StragglerRule.backlog(predicted[slot], (now - startedAt[slot]) / 1e9);
      }
    }
    return seconds;
  }

  int enter(int what, int device, double predictedSeconds, long now) {
    int slot = firstSlot[device];
    while (task[slot] != Tasks.NONE) {
      slot++;
    }
    task[slot] = what;
    startedAt[slot] = now;
    predicted[slot] = predictedSeconds;
    if (running[device]++ == 0) {
      busySince[device] = now;
    }
    runningInAll++;
    return slot;
  }

  /** Ends a stay in a slot; {@code size} is what was done, zero if nothing. */
  void leave(int slot, int device, double size, long now) {
    task[slot] = Tasks.NONE;
    generation[slot] = (generation[slot] + 1) & Engine.GENERATIONS;
    running[device]--;
    runningInAll--;
    long busy = now - busySince[device];
    busySince[device] = now;
    busyNanos[device] += busy;
    lastEnd[device] = now;
    done[device] += size > 0 ? 1 : 0;
    rates[device].add(size, busy, now);
  }

  /** A success was heard of. */
  boolean calmed(int device) {
    Breaker breaker = breakers[device];
    if (breaker == null || breaker.isCalm()) {
      return false;
    }
    breaker.succeeded();
    return true;
  }

  public long busyNanos(int device) {
    return busyNanos[device];
  }

  public long done(int device) {
    return done[device];
  }
}
