package dev.fairlead.pool;

import dev.fairlead.device.Bytes;
import dev.fairlead.device.Timespan;
import dev.fairlead.health.Health;
import dev.fairlead.ledger.Ledger;
import dev.fairlead.ledger.LedgerPage;
import dev.fairlead.placing.Fleet;
import dev.fairlead.policy.Demand;
import dev.fairlead.run.DeviceRuntime;
import dev.fairlead.stats.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/** Counts everything at one point in time. */
final class Snapshots {
  private final Ticker ticker;
  private final AtomicLong taken = new AtomicLong();

  Snapshots(Ticker ticker) {
    this.ticker = ticker;
  }

  /** All ledgers are read at one moment; foreign code runs only after that. */
  PoolSnapshot snapshot(
      Fleet fleet, int waiting, PoolSnapshot.Refusals refusals, PoolSnapshot.Totals retired) {
    long now = ticker.nanos();
    List<DeviceRuntime> runtimes = fleet.runtimes();
    List<LedgerPage> pages =
        LedgerPage.ofAll(runtimes.stream().map(DeviceRuntime::ledger).toList(), now);
    List<PoolSnapshot.Entry> entries = new ArrayList<>(runtimes.size());
    PoolSnapshot.Totals totals = retired;
    for (int i = 0; i < pages.size(); i++) {
      entries.add(entry(runtimes.get(i).ledger(), pages.get(i), now));
      totals = totals.plus(pages.get(i).stats());
    }
    return new PoolSnapshot(
        taken.incrementAndGet(), Instant.now(), entries, waiting, refusals, totals);
  }

  private static PoolSnapshot.Entry entry(Ledger ledger, LedgerPage page, long now) {
    return new PoolSnapshot.Entry(
        ledger.index(),
        ledger.device(),
        page.health(),
        page.paused(),
        page.generation(),
        page.load(),
        page.stats(),
        page.tenancies().stream()
            .map(tenancy -> new PoolSnapshot.Holding(tenancy.name(), tenancy.held(now)))
            .toList());
  }

  static String whyNone(PoolSnapshot snapshot, Demand demand, Duration waited) {
    StringBuilder text = new StringBuilder();
    text.append(
        "No device for %s within %s; %d %s. "
            .formatted(
                demand,
                Timespan.of(waited),
                snapshot.waiting(),
                snapshot.waiting() == 1 ? "other waits" : "others wait"));
    for (PoolSnapshot.Entry entry : snapshot.devices()) {
      text.append(
          "%s: %s, %d outstanding, %s free, held by %s. "
              .formatted(
                  entry.device(),
                  word(entry.health()) + (entry.paused() ? " but paused" : ""),
                  entry.stats().outstanding(),
                  Bytes.of(entry.load().freeBytes()),
                  entry.leases().isEmpty() ? "nothing" : held(entry.leases())));
    }
    return text.append("Wait longer, ask for less, or add devices").toString();
  }

  private static String word(Health health) {
    return health.name().toLowerCase(Locale.ROOT);
  }

  private static String held(List<PoolSnapshot.Holding> leases) {
    return leases.stream().map(PoolSnapshot.Holding::toString).collect(Collectors.joining(", "));
  }
}
