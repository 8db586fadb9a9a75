package dev.fairlead.ledger;

import dev.fairlead.device.Fault;
import dev.fairlead.device.Timespan;
import dev.fairlead.health.Breaker;
import dev.fairlead.health.Health;
import java.util.Optional;

/**
 * How a device stands: its health, whether a demand waits for it, whether it is paused or is to
 * leave; and what follows for its word. Guarded by its ledger.
 */
public final class ServingState {
  /** A change of health that has not been reported yet. */
  record Change(Health from, Health to, String reason) {}

  private final Breaker breaker = new Breaker();
  private Health announced = Health.READY;
  private boolean awaited;
  private boolean paused;
  private boolean leaving;

  /** Nothing is wrong and nothing is due: {@link #flags} does not depend on what is outstanding. */
  boolean isCalm() {
    return breaker.isCalm() && announced == Health.READY && !paused && !leaving;
  }

  boolean isAwaited() {
    return awaited;
  }

  void awaited(boolean value) {
    awaited = value;
  }

  /** Takes no new work until it is resumed; its health is what it is. False if it was paused. */
  public boolean pause() {
    boolean changes = !paused;
    paused = true;
    return changes;
  }

  /** Takes work again; false if it was not paused. */
  public boolean resume() {
    boolean changes = paused;
    paused = false;
    return changes;
  }

  public boolean isPaused() {
    return paused;
  }

  /** Takes no new work, and leaves the pool as soon as nothing keeps it; false if it was to. */
  public boolean remove() {
    boolean changes = !leaving;
    leaving = true;
    return changes;
  }

  public Breaker breaker() {
    return breaker;
  }

  void ended(Optional<Fault> fault, long now) {
    if (fault.isPresent()) {
      breaker.failed(fault.get(), now);
    } else {
      breaker.succeeded();
    }
  }

  /** Takes work, perhaps one item at a time. */
  public boolean serves() {
    return !paused && !leaving && breaker.health().serves();
  }

  boolean isShut(int outstanding) {
    return paused || leaving || breaker.health().isShut(outstanding);
  }

  /** Whether the device is to leave and nothing keeps it. */
  boolean mayLeave(int outstanding) {
    return outstanding == 0 && (leaving || breaker.health() == Health.LOST);
  }

  /** Whether the device is paused and nothing is left on it. */
  boolean isDrained(int outstanding) {
    return outstanding == 0 && paused;
  }

  long flags(int outstanding) {
    boolean attention =
        breaker.health() != announced || mayLeave(outstanding) || isDrained(outstanding);
    return (awaited ? LedgerWord.AWAITED : 0)
        | (isShut(outstanding) ? LedgerWord.SHUT : 0)
        | (attention ? LedgerWord.ATTENTION : 0);
  }

  /** The change of health since this was last asked. */
  Optional<Change> change() {
    Health from = announced;
    announced = breaker.health();
    return from == announced
        ? Optional.empty()
        : Optional.of(new Change(from, announced, breaker.reason()));
  }

  public String describe(long now) {
    if (leaving) {
      return "is being removed";
    }
    if (paused) {
      return "is paused";
    }
    return breaker.health() == Health.QUARANTINED
        ? "is in quarantine, probed again in " + Timespan.of(breaker.untilProbe(now))
        : "is " + breaker.health();
  }
}
