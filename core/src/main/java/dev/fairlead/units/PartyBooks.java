package dev.fairlead.units;

import dev.fairlead.policy.FairJob;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** What the scheduler knows of a party. Owned by the scheduler, counters and futures aside. */
final class PartyBooks {
  private final long number;
  private final PartyOptions options;
  private final UnitCounters counters;
  private final Strikes strikes;
  private final CompletableFuture<Void> left = new CompletableFuture<>();

  /** All that are not over. */
  private final Set<UnitTask<?>> units = new LinkedHashSet<>();

  /** Those of them that a device may take, by whether their input is there. */
  private final List<UnitTask<?>> whole = new ArrayList<>();

  private final List<UnitTask<?>> inTheMaking = new ArrayList<>();

  /** Orders of units whose input is still in the making. */
  private final Set<Long> partial = new HashSet<>();

  /** To be completed when nothing runs. */
  private final List<CompletableFuture<Void>> parking = new ArrayList<>();

  private final FairJob job;
  private int attempts;
  private boolean parked;
  private boolean leaving;

  PartyBooks(long number, PartyOptions options, FairJob job) {
    this.number = number;
    this.options = options;
    this.counters = new UnitCounters(options.groups());
    this.strikes = new Strikes(options.groups());
    this.job = job;
  }

  long number() {
    return number;
  }

  PartyOptions options() {
    return options;
  }

  UnitCounters counters() {
    return counters;
  }

  /** Ends when the party has left and all of it has been reported. */
  CompletableFuture<Void> left() {
    return left;
  }

  Strikes strikes() {
    return strikes;
  }

  Set<UnitTask<?>> units() {
    return units;
  }

  /** Units that a device may take, in the order in which they came to wait. */
  List<UnitTask<?>> offered(boolean ofWhole) {
    return ofWhole ? whole : inTheMaking;
  }

  /** Whether the input of units of that order is still in the making. */
  Set<Long> partial() {
    return partial;
  }

  List<CompletableFuture<Void>> parking() {
    return parking;
  }

  /** The party as the books of the tenants know it. */
  FairJob job() {
    return job;
  }

  /** Tries that devices have not let go of, those at units that are over included. */
  void attempts(int more) {
    attempts += more;
  }

  boolean runsNothing() {
    return attempts == 0;
  }

  boolean isAtRest() {
    return attempts == 0 && units.isEmpty();
  }

  boolean isParked() {
    return parked;
  }

  void parked(boolean value) {
    parked = value;
  }

  boolean isLeaving() {
    return leaving;
  }

  void leaves() {
    leaving = true;
  }

  /** Whether idle devices may take a second copy of its units. */
  boolean clones() {
    return options.service().clones() && !parked;
  }
}
