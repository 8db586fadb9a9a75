package dev.fairlead.units;

import dev.fairlead.device.Device;
import dev.fairlead.outcome.Completion;
import dev.fairlead.outcome.Failures;
import dev.fairlead.outcome.Outcome;
import dev.fairlead.policy.Demand;
import dev.fairlead.policy.Load;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A unit that a {@link Party} has offered, which ends some time later, once, with an {@link
 * Outcome}: committed, condemned with the reason of each try, or cancelled.
 */
public final class UnitTask<R> extends Completion<R> {
  private static final int NOWHERE = -1;

  private final long party;
  private final int group;
  private final long order;
  private final Demand demand;
  private final UnitInput input;
  private volatile @Nullable UnitWork<R> work;
  private volatile @Nullable Outcome<R> outcome;
  private volatile long takenNanos;

  // Owned by the scheduler.
  private final List<UnitAttempt> attempts = new ArrayList<>(1);
  private Failures failures = Failures.NONE;
  private BitSet able = new BitSet();
  private boolean cloned;
  private boolean waits;
  private boolean whole;
  private int place = NOWHERE;

  UnitTask(long party, int group, long order, Demand demand, UnitInput input, UnitWork<R> work) {
    this.party = party;
    this.group = group;
    this.order = order;
    this.demand = demand;
    this.input = input;
    this.work = work;
  }

  public int group() {
    return group;
  }

  /** Its place in the job: smaller is older. */
  public long order() {
    return order;
  }

  public Demand demand() {
    return demand;
  }

  /**
   * How long the device that committed it had it, the time included that a device keeps its work
   * back; nothing before.
   */
  public Duration taken() {
    return Duration.ofNanos(takenNanos);
  }

  /** Units are served by a thread that belongs to no device, so waiting for one is harmless. */
  @Override
  protected void checkWait() {}

  @Override
  protected Outcome<R> ended() {
    return Objects.requireNonNull(outcome);
  }

  /** What is to be done; null once the unit is over, so that a kept task keeps nothing else. */
  @Nullable UnitWork<R> work() {
    return work;
  }

  // ---- for the scheduler

  /** The number of the party whose unit it is. */
  long party() {
    return party;
  }

  UnitInput input() {
    return input;
  }

  /** Whether bringing what it reads to a device may take time. */
  boolean moves() {
    return !(input instanceof UnitInput.Everywhere);
  }

  boolean isOver() {
    return outcome != null;
  }

  /** The outcome of a try that came to its end. */
  Outcome<?> committed(Object value, Device device, Load load, long nanos) {
    takenNanos = nanos;
    return new Outcome.Succeeded<>(value, device, load, failures.attempts());
  }

  @SuppressWarnings("unchecked") // the outcome's value comes from this unit's own work
  void end(Outcome<?> how) {
    outcome = (Outcome<R>) how;
    work = null;
  }

  /** Reports the end to the threads that wait for it. */
  void reportEnd() {
    finish();
  }

  /** Waits for a device, whether or not its party is parked. */
  boolean waits() {
    return waits;
  }

  void waits(boolean value) {
    waits = value;
  }

  /** Where it stands among the units that devices may take. */
  int place() {
    return place;
  }

  /** Stands there among those whose input is there, or is still in the making. */
  boolean standsWithWhole() {
    return whole;
  }

  boolean isListed() {
    return place != NOWHERE;
  }

  void listed(int where, boolean withWhole) {
    place = where;
    whole = withWhole;
  }

  void moved(int where) {
    place = where;
  }

  void unlisted() {
    place = NOWHERE;
  }

  List<UnitAttempt> attempts() {
    return attempts;
  }

  /** Runs somewhere, rather than waiting or standing in a line. */
  boolean runs() {
    return attempts.stream().anyMatch(UnitAttempt::hasStarted);
  }

  Failures failures() {
    return failures;
  }

  void failed(Device device, Throwable cause) {
    failures = failures.after(device, cause);
  }

  void able(BitSet roster) {
    able = roster;
  }

  /** Whether the device could take the unit some day: the pool allows it and its group does. */
  boolean isAbleOn(ServedDevice served) {
    return able.get(served.number());
  }

  /** The demand for exactly this device: the service policy has chosen it. */
  Demand demandOn(ServedDevice served) {
    return new Demand(
        demand.work(),
        demand.resources(),
        demand.eligibility().withAllowed(Set.of(served.id())),
        demand.priority(),
        null,
        demand.usesContext());
  }

  boolean isCloned() {
    return cloned;
  }

  void cloned() {
    cloned = true;
  }

  @Override
  public String toString() {
    return "unit " + order + " of group " + group;
  }
}
