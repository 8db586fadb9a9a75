package dev.fairlead.pool;

import dev.fairlead.lease.QueuedWork;
import dev.fairlead.ledger.HeldLease;
import dev.fairlead.shared.HostLimits;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The demands that wait, by rank, and what of the host's resources they have a claim to. Guarded by
 * the room's lock.
 */
final class Waiters {
  private final TreeSet<Waiter> byRank = new TreeSet<>();
  private final IdentityHashMap<HeldLease, Waiter> jobs = new IdentityHashMap<>();
  private int sharing;

  void add(Waiter waiter) {
    byRank.add(waiter);
    sharing += waiter.sharesHost() ? 1 : 0;
    if (waiter.lease.isJob()) {
      jobs.put(waiter.lease, waiter);
    }
  }

  /** Takes a waiter out; false if it is not there any more. */
  boolean remove(Waiter waiter) {
    if (!byRank.remove(waiter)) {
      return false;
    }
    sharing -= waiter.sharesHost() ? 1 : 0;
    jobs.remove(waiter.lease);
    return true;
  }

  int size() {
    return byRank.size();
  }

  @Nullable Waiter first() {
    return byRank.isEmpty() ? null : byRank.first();
  }

  @Nullable Waiter after(Waiter waiter) {
    return byRank.higher(waiter);
  }

  /** The one that waits for a job's lease; null if none does. */
  @Nullable Waiter of(HeldLease lease) {
    return jobs.get(lease);
  }

  /** All as they are now, by rank. */
  List<Waiter> all() {
    return List.copyOf(byRank);
  }

  List<QueuedWork> jobs() {
    return byRank.stream()
        .map(waiter -> waiter.lease.job())
        .filter(Objects::nonNull)
        .map(Objects::requireNonNull)
        .toList();
  }

  // ---- resources of the host

  /** Says which resources of the host those who wait lack, and lack nothing else. */
  void claim(HostLimits host) {
    if (sharing > 0 || host.areClaimed()) {
      Set<String> names = new HashSet<>();
      for (Waiter waiter : byRank) {
        if (waiter.sharesHost() && waiter.view.lacksOnlyHost()) {
          names.addAll(waiter.lease.demand().resources().named().keySet());
        }
        if (names.containsAll(host.names())) {
          break;
        }
      }
      host.claim(Set.copyOf(names));
    }
  }

  /** Whether all who wait lack something of the host of which nothing is free. */
  boolean allLack(HostLimits host) {
    return sharing == byRank.size() && host.names().stream().allMatch(name -> host.free(name) <= 0);
  }

  /** Whether the host has what a waiter asks for beyond what those before it have a claim to. */
  boolean mayHave(Waiter waiter, HostLimits host) {
    if (!waiter.sharesHost()) {
      return true;
    }
    for (String name : waiter.lease.demand().resources().named().keySet()) {
      if (host.knows(name)) {
        long spare = host.free(name) - waiter.asks(name);
        for (Waiter each = first(); each != waiter && each != null && spare >= 0; ) {
          spare -= each.asks(name) > 0 && each.view.lacksOnlyHost() ? each.asks(name) : 0;
          each = after(each);
        }
        if (spare < 0) {
          return false;
        }
      }
    }
    return true;
  }
}
