package dev.fairlead.ledger;

import dev.fairlead.health.Health;
import dev.fairlead.ledger.RunningSlot.Tenancy;
import dev.fairlead.policy.Load;
import dev.fairlead.stats.DeviceStats;
import java.util.ArrayList;
import java.util.List;

/** What a snapshot takes down of a ledger, under its lock; names are asked for later. */
public record LedgerPage(
    Health health,
    boolean paused,
    int generation,
    Load load,
    DeviceStats stats,
    List<Tenancy> tenancies) {

  public static LedgerPage of(Ledger ledger, long now) {
    return ledger.read(() -> ofLocked(ledger, now));
  }

  /**
   * What all of these say at one moment: they are locked together while they are read.
   *
   * @param ledgers by index, which is the order of their locks
   */
  public static List<LedgerPage> ofAll(List<Ledger> ledgers, long now) {
    List<LedgerPage> pages = new ArrayList<>(ledgers.size());
    int locked = 0;
    try {
      for (; locked < ledgers.size(); locked++) {
        ledgers.get(locked).lock();
      }
      ledgers.forEach(ledger -> pages.add(ofLocked(ledger, now)));
    } finally {
      while (--locked >= 0) {
        ledgers.get(locked).unlockUnchanged();
      }
    }
    return pages;
  }

  private static LedgerPage ofLocked(Ledger ledger, long now) {
    return new LedgerPage(
        ledger.serving.breaker().health(),
        ledger.serving.isPaused(),
        ledger.generation,
        ledger.loadAt(ledger.outstanding, ledger.reservations.freeBytes(), now),
        ledger.counters.stats(ledger.outstanding),
        ledger.slotTable.tenancies());
  }
}
