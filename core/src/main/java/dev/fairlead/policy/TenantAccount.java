package dev.fairlead.policy;

import java.util.Comparator;
import java.util.NavigableSet;
import java.util.TreeSet;

/** What {@link FairBooks} know of a tenant. */
final class TenantAccount {
  static final Comparator<TenantAccount> TURN =
      Comparator.comparingDouble((TenantAccount tenant) -> tenant.time())
          .thenComparing(TenantAccount::name);

  private final String name;
  private double weight;
  private double time;
  private double chargedSeconds;
  private int waitingJobs;
  private int running;
  private boolean present;
  private final NavigableSet<FairJob> whole = new TreeSet<>(FairJob.TURN);
  private final NavigableSet<FairJob> partial = new TreeSet<>(FairJob.TURN);

  TenantAccount(String name, double weight, double time) {
    this.name = name;
    this.weight = weight;
    this.time = time;
  }

  String name() {
    return name;
  }

  double weight() {
    return weight;
  }

  void weight(double value) {
    weight = value;
  }

  /** Virtual time: charged seconds ÷ weight. */
  double time() {
    return time;
  }

  void time(double value) {
    time = value;
  }

  /** What its tries were charged in all, as far as these books have seen it. */
  double chargedSeconds() {
    return chargedSeconds;
  }

  void charge(double seconds) {
    chargedSeconds += seconds;
  }

  /** Jobs that wait with units whose input is there, or is still in the making, in turn. */
  NavigableSet<FairJob> jobs(boolean ofWhole) {
    return ofWhole ? whole : partial;
  }

  void waitingJobs(int more) {
    waitingJobs += more;
  }

  void running(int more) {
    running += more;
  }

  /** Has something waiting or running. */
  boolean hasWork() {
    return waitingJobs > 0 || running > 0;
  }

  /** Counts as present. */
  boolean isPresent() {
    return present;
  }

  void present(boolean value) {
    present = value;
  }
}
