package dev.fairlead.pool;

import dev.fairlead.policy.Demand;
import dev.fairlead.stats.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Counts everything at one point in time. */
final class Census {
  private final Ticker ticker;
  private final AtomicLong taken = new AtomicLong();

  Census(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Locks all ledgers, by index, while it looks. */
  PoolSnapshot snapshot(Fleet fleet, int waiting, PoolSnapshot.Totals retired) {
    long now = ticker.nanos();
    List<Station> stations = fleet.stations();
    List<PoolSnapshot.Entry> entries = new ArrayList<>(stations.size());
    PoolSnapshot.Totals totals = retired;
    stations.forEach(station -> station.ledger().lock());
    try {
      for (Station station : stations) {
        PoolSnapshot.Entry entry = station.ledger().entryLocked(now);
        entries.add(entry);
        totals = totals.plus(entry.stats());
      }
    } finally {
      stations.forEach(station -> station.ledger().unlockUnchanged());
    }
    return new PoolSnapshot(taken.incrementAndGet(), ticker, now, entries, waiting, totals);
  }

  static String whyNone(PoolSnapshot snapshot, Demand demand, Duration waited) {
    StringBuilder text = new StringBuilder();
    text.append(
        "No device for %s within %d ms; %d others wait. "
            .formatted(demand, waited.toMillis(), snapshot.waiting()));
    for (PoolSnapshot.Entry entry : snapshot.devices()) {
      text.append(
          "%s: %s, %d outstanding, %d bytes free, held by %s. "
              .formatted(
                  entry.device(),
                  entry.health(),
                  entry.stats().outstanding(),
                  entry.load().freeBytes(),
                  entry.leases()));
    }
    return text.append("Wait longer, ask for less, or add devices").toString();
  }
}
