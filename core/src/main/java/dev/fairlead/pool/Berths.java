package dev.fairlead.pool;

import dev.fairlead.pool.Berth.Tenancy;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/** The running slots of a device, and which of them are free. Guarded by its ledger. */
final class Berths {
  private final Berth[] all;
  private final int[] freeLanes;
  private int freeCount;

  Berths(int slots) {
    all = IntStream.range(0, slots).mapToObj(lane -> new Berth()).toArray(Berth[]::new);
    freeLanes = IntStream.range(0, slots).map(lane -> slots - 1 - lane).toArray();
    freeCount = slots;
  }

  int free() {
    return freeCount;
  }

  boolean areAllFree() {
    return freeCount == all.length;
  }

  /** Gives the lease as many slots as it asks for, which are there; the lane of one of them. */
  int take(Lease lease, long now) {
    int lane = freeLanes[--freeCount];
    Berth berth = all[lane];
    berth.take(lease.holderObject(), lease.demand(), lease.predictedSeconds(), now);
    if (!lease.isSimple()) {
      takeMore(lease, berth, now);
    }
    return lane;
  }

  private void takeMore(Lease lease, Berth first, long now) {
    first.note(lease);
    if (lease.isJob()) {
      first.begins(lease, now);
    }
    for (int more = lease.slots(); more > 1; more--) {
      Berth berth = all[freeLanes[--freeCount]];
      berth.take(lease.holderObject(), lease.demand(), lease.predictedSeconds(), now);
      berth.note(lease);
      berth.follow();
    }
  }

  /** Notes that work runs under a lease, so that it can be found if it hangs. */
  void begins(Lease lease, long now) {
    all[lease.lane()].begins(lease, now);
  }

  /** No work runs under the lease; if its slot has gone to another one, that is not its affair. */
  void rests(Lease lease) {
    Berth berth = all[lease.lane()];
    if (berth.has(lease)) {
      berth.rests();
    }
  }

  void leave(Lease lease) {
    free(lease.lane());
    if (lease.slots() > 1) {
      for (int lane = 0; lane < all.length; lane++) {
        if (all[lane].has(lease)) {
          free(lane);
        }
      }
    }
  }

  private void free(int lane) {
    all[lane].leave();
    freeLanes[freeCount++] = lane;
  }

  /** Whether work runs in any slot. */
  boolean areWorking() {
    return Arrays.stream(all).anyMatch(Berth::isWorking);
  }

  /** Who has slots, each once. */
  List<Tenancy> tenancies() {
    return Arrays.stream(all).map(Berth::tenancy).filter(Objects::nonNull).toList();
  }

  /** Those that have been held for longer than that, each once. */
  List<Tenancy> overdue(long now, long limitNanos) {
    return Arrays.stream(all)
        .filter(berth -> berth.becomesOverdue(now, limitNanos))
        .map(Berth::tenancy)
        .filter(Objects::nonNull)
        .toList();
  }

  /** Predicted seconds that are still to run, for the device as a whole. */
  double remainingSeconds(long now) {
    double seconds = 0;
    for (Berth berth : all) {
      seconds += berth.remainingSeconds(now);
    }
    return seconds;
  }

  int size() {
    return all.length;
  }
}
