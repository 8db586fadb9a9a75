package dev.fairlead.simulator.sharing;

import dev.fairlead.device.Device;
import dev.fairlead.range.Range;
import dev.fairlead.range.RangeShares;
import dev.fairlead.simulator.engine.Discipline;
import dev.fairlead.simulator.engine.Engine;
import dev.fairlead.simulator.engine.Machines;
import dev.fairlead.simulator.engine.Tasks;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A range at work: a worker for each slot of each device takes portions of it and does their units
 * one after the other. What a worker has in hand when its device fails, and what is left of its own
 * when the device stops serving, goes to whoever is idle. A device that joins, or comes back after
 * it was lost, takes no part.
 */
public final class Sharing implements Discipline {
  private static final int NOBODY = -1;

  private final Engine engine;
  private final Machines machines;
  private final Tasks tasks;
  private final SharingRule rule;
  private final int[] firstWorker;
  private final int[] deviceOf;
  private final @Nullable Range[] hands;
  private final boolean[] busy;
  private final boolean[] gone;
  private final long[] since;
  private final double[] nanosPerUnit;
  private final Deque<Integer> orphans = new ArrayDeque<>();
  private int[] taskOf = new int[1024];
  private int[] workerOf = new int[1024];
  private int units;
  private @Nullable Portions portions;

  public Sharing(Engine engine, SharingRule rule) {
    this.engine = engine;
    this.machines = engine.machines();
    this.tasks = engine.tasks();
    this.rule = rule;
    this.firstWorker = new int[machines.size() + 1];
    for (int device = 0; device < machines.size(); device++) {
      firstWorker[device + 1] = firstWorker[device] + machines.slots(device);
    }
    int workers = firstWorker[machines.size()];
    this.deviceOf = new int[workers];
    for (int device = 0; device < machines.size(); device++) {
      Arrays.fill(deviceOf, firstWorker[device], firstWorker[device + 1], device);
    }
    this.hands = new Range[workers];
    this.busy = new boolean[workers];
    this.gone = new boolean[machines.size()];
    this.since = new long[workers];
    this.nanosPerUnit = new double[workers];
  }

  @Override
  public void arrived(int task) {
    if (units == taskOf.length) {
      taskOf = Arrays.copyOf(taskOf, 2 * units);
      workerOf = Arrays.copyOf(workerOf, 2 * units);
    }
    taskOf[units] = task;
    workerOf[units++] = NOBODY;
    if (!engine.isArriving()) {
      portions = rule.share(units, speeds());
      for (int device = 0; device < machines.size(); device++) {
        handOver(device);
      }
      serveAll();
    }
  }

  /** What each worker is thought to do, as the production rule says. */
  private List<Double> speeds() {
    List<Double> rates = new ArrayList<>();
    List<Device> devices = engine.knowledge().devices();
    for (int device = 0; device < machines.size(); device++) {
      rates.add(machines.rate(device));
    }
    List<Double> each = RangeShares.speeds(rates, devices.stream().map(Device::weight).toList());
    List<Double> speeds = new ArrayList<>();
    for (int device : deviceOf) {
      speeds.add(each.get(device) / machines.slots(device));
    }
    return speeds;
  }

  @Override
  public void again(int task) {
    orphans.add((int) tasks.order(task));
    serveAll();
  }

  @Override
  public void ended(int task, int device) {
    int worker = workerOf[(int) tasks.order(task)];
    busy[worker] = false;
    nanosPerUnit[worker] = engine.now() - since[worker];
    serve(worker);
  }

  @Override
  public void failed(int task, int device) {
    int worker = workerOf[(int) tasks.order(task)];
    busy[worker] = false;
    abandon(hands[worker]);
    hands[worker] = null;
  }

  @Override
  public void changed(int device) {
    handOver(device);
    serveAll();
  }

  /** What a device that does not serve has of its own is for others. */
  private void handOver(int device) {
    gone[device] |= portions != null && !machines.isThere(device);
    if (!gone[device] && machines.serves(device)) {
      return;
    }
    for (int worker = firstWorker[device]; worker < firstWorker[device + 1]; worker++) {
      for (Range own = own(worker); own != null; own = own(worker)) {
        abandon(own);
      }
    }
  }

  private @Nullable Range own(int worker) {
    return portions == null ? null : portions.own(worker, nanosPerUnit[worker]);
  }

  private void abandon(@Nullable Range rest) {
    if (rest != null) {
      for (long unit = rest.start(); unit < rest.end(); unit++) {
        orphans.add((int) unit);
      }
    }
  }

  private void serveAll() {
    if (portions != null) {
      for (int worker = 0; worker < deviceOf.length; worker++) {
        serve(worker);
      }
    }
  }

  private void serve(int worker) {
    int device = deviceOf[worker];
    if (busy[worker] || portions == null) {
      return;
    }
    if (hands[worker] == null && !gone[device] && machines.isFree(device)) {
      hands[worker] = next(worker);
    }
    Range hand = hands[worker];
    if (hand != null) {
      hands[worker] = hand.length() > 1 ? new Range(hand.start() + 1, hand.end()) : null;
      int unit = (int) hand.start();
      busy[worker] = true;
      workerOf[unit] = worker;
      since[worker] = engine.now();
      engine.start(taskOf[unit], device);
    }
  }

  private @Nullable Range next(int worker) {
    Range own = own(worker);
    if (own != null) {
      return own;
    }
    int orphan = orphans.isEmpty() ? NOBODY : adopt(deviceOf[worker]);
    if (orphan != NOBODY) {
      return new Range(orphan, orphan + 1L);
    }
    return portions == null ? null : portions.others(worker);
  }

  /** A unit goes to a device that has not failed it, as long as one is there that serves. */
  private int adopt(int device) {
    for (Iterator<Integer> each = orphans.iterator(); each.hasNext(); ) {
      int unit = each.next();
      if (tasks.failedOn(taskOf[unit]) != device || !othersServe(device)) {
        each.remove();
        return unit;
      }
    }
    return NOBODY;
  }

  private boolean othersServe(int device) {
    for (int other = 0; other < machines.size(); other++) {
      if (other != device && machines.serves(other)) {
        return true;
      }
    }
    return false;
  }
}
