package dev.fairlead.ledger;

import dev.fairlead.ledger.RunningSlot.Tenancy;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/** The running slots of a device, and which of them are free. Guarded by its ledger. */
final class SlotTable {
  private final RunningSlot[] all;
  private final int[] freeLanes;
  private int freeCount;

  SlotTable(int slots) {
    all =
        IntStream.range(0, slots)
            .mapToObj(deviceThread -> new RunningSlot())
            .toArray(RunningSlot[]::new);
    freeLanes = IntStream.range(0, slots).map(deviceThread -> slots - 1 - deviceThread).toArray();
    freeCount = slots;
  }

  int free() {
    return freeCount;
  }

  boolean areAllFree() {
    return freeCount == all.length;
  }

  /** Gives the lease as many slots as it asks for, which are there; the thread of one of them. */
  int take(HeldLease lease, long now) {
    int deviceThread = freeLanes[--freeCount];
    RunningSlot runningSlot = all[deviceThread];
    runningSlot.take(lease.holderObject(), lease.demand(), lease.predictedSeconds(), now);
    if (!lease.isSimple()) {
      takeMore(lease, runningSlot, now);
    }
    return deviceThread;
  }

  private void takeMore(HeldLease lease, RunningSlot first, long now) {
    first.note(lease);
    if (lease.isJob()) {
      first.begins(lease, now);
    }
    for (int more = lease.slots(); more > 1; more--) {
      RunningSlot runningSlot = all[freeLanes[--freeCount]];
      runningSlot.take(lease.holderObject(), lease.demand(), lease.predictedSeconds(), now);
      runningSlot.note(lease);
      runningSlot.follow();
    }
  }

  /** Notes that work runs under a lease, so that it can be found if it hangs. */
  void begins(HeldLease lease, long now) {
    all[lease.deviceThread()].begins(lease, now);
  }

  /** No work runs under the lease; if its slot has gone to another one, that is not its affair. */
  void rests(HeldLease lease) {
    RunningSlot runningSlot = all[lease.deviceThread()];
    if (runningSlot.has(lease)) {
      runningSlot.rests();
    }
  }

  void leave(HeldLease lease) {
    free(lease.deviceThread());
    if (lease.slots() > 1) {
      for (int deviceThread = 0; deviceThread < all.length; deviceThread++) {
        if (all[deviceThread].has(lease)) {
          free(deviceThread);
        }
      }
    }
  }

  private void free(int deviceThread) {
    all[deviceThread].leave();
    freeLanes[freeCount++] = deviceThread;
  }

  /** Whether work runs in any slot. */
  boolean areWorking() {
    return Arrays.stream(all).anyMatch(RunningSlot::isWorking);
  }

  /** The holders of slots, each once. */
  List<Tenancy> tenancies() {
    return Arrays.stream(all).map(RunningSlot::tenancy).filter(Objects::nonNull).toList();
  }

  /** Those that have been held for longer than that, each once. */
  List<Tenancy> overdue(long now, long limitNanos) {
    return Arrays.stream(all)
        .filter(runningSlot -> runningSlot.becomesOverdue(now, limitNanos))
        .map(RunningSlot::tenancy)
        .filter(Objects::nonNull)
        .toList();
  }

  /** Predicted seconds that are still to run, for the device as a whole. */
  double remainingSeconds(long now) {
    double seconds = 0;
    for (RunningSlot runningSlot : all) {
      seconds += runningSlot.remainingSeconds(now);
    }
    return seconds;
  }

  int size() {
    return all.length;
  }
}
