package dev.fairlead.policy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Jobs of tenants that wait for devices, with books of their own; tests say what comes, what starts
 * and what ends.
 */
final class TestingJobs implements SharedUnits {
  /**
   * A unit.
   *
   * @param cost seconds on a device of speed one
   */
  record Unit(long job, int group, long order, double cost, boolean whole, Set<Integer> barred) {}

  /** A job. */
  private record Job(FairJob known, int groups, List<Unit> whole, List<Unit> partial) {
    List<Unit> waiting(boolean ofWhole) {
      return ofWhole ? whole : partial;
    }
  }

  final double[] speeds;
  final double[] backlogs;
  private final FairBooks books;
  private final Map<Long, Job> jobs = new LinkedHashMap<>();
  private final List<Unit> all = new ArrayList<>();
  private long joined;
  long now;

  /** How often a policy has asked for anything. */
  long questions;

  TestingJobs(FairBooks books, double... speeds) {
    this.books = books;
    this.speeds = speeds.clone();
    this.backlogs = new double[speeds.length];
  }

  static TestingJobs on(double... speeds) {
    return new TestingJobs(new FairBooks(), speeds);
  }

  /** So many devices of speed one. */
  static TestingJobs onEqual(int devices) {
    double[] speeds = new double[devices];
    Arrays.fill(speeds, 1);
    return on(speeds);
  }

  /** A job that comes after all others. */
  long join(String tenant, double weight, Priority priority, int groups) {
    long number = joined++;
    FairJob known = books.join(number, new Tenant(tenant, weight), priority, number);
    jobs.put(number, new Job(known, groups, new ArrayList<>(), new ArrayList<>()));
    return number;
  }

  long join(String tenant, double weight) {
    return join(tenant, weight, Priority.NORMAL, 1);
  }

  void priority(long job, Priority value) {
    books.priority(job(job).known, value);
  }

  TestingJobs offer(long job, long order, double cost) {
    return offer(new Unit(job, 0, order, cost, true, Set.of()));
  }

  TestingJobs offer(Unit unit) {
    job(unit.job).waiting(unit.whole).add(unit);
    all.add(unit);
    report(unit);
    return this;
  }

  void remove(Unit unit) {
    job(unit.job).waiting(unit.whole).remove(unit);
    all.remove(unit);
    report(unit);
  }

  private void report(Unit unit) {
    Job job = job(unit.job);
    books.waiting(job.known, unit.whole, job.waiting(unit.whole).size(), now);
  }

  private Job job(long number) {
    return Objects.requireNonNull(jobs.get(number));
  }

  /** Units that wait. */
  Collection<Unit> waiting() {
    return all;
  }

  Unit unit(int index) {
    return all.get(index);
  }

  boolean hasWaiting(long job) {
    return job(job).known.waits();
  }

  /** What a try of the unit is predicted to cost, charged at its start. */
  FairBooks.Charge start(Unit unit, int device) {
    FairBooks.Charge charge =
        books.started(job(unit.job).known, unit.cost / speeds[device], speed(device), now);
    remove(unit);
    return charge;
  }

  /** How fast the device is against the mean. */
  double speed(int device) {
    return speeds[device] / Arrays.stream(speeds).average().orElseThrow();
  }

  /** What the device takes now, null if nothing; it starts, and never ends. */
  @Nullable Unit take(ServicePolicy policy, int device) {
    books.pass(now);
    int next = policy.next(this, device);
    if (next == ServicePolicy.NONE) {
      return null;
    }
    Unit unit = all.get(next);
    FairBooks.Charge _ = start(unit, device);
    return unit;
  }

  @Override
  public FairBooks books() {
    return books;
  }

  @Override
  public Part of(FairJob job, boolean whole, int others) {
    questions++;
    Job its = job(job.number());
    return new View(its.waiting(whole), its.groups, others);
  }

  private final class View implements Part {
    private final List<Unit> units;
    private final int groups;
    private final int others;

    View(List<Unit> units, int groups, int others) {
      this.units = units;
      this.groups = groups;
      this.others = others;
    }

    @Override
    public int outer(int unit) {
      return all.indexOf(units.get(unit));
    }

    @Override
    public int size() {
      questions++;
      return units.size();
    }

    @Override
    public int others() {
      return others;
    }

    @Override
    public int group(int unit) {
      return units.get(unit).group;
    }

    @Override
    public long order(int unit) {
      questions++;
      return units.get(unit).order;
    }

    @Override
    public boolean mayRun(int unit, int device) {
      questions++;
      return !units.get(unit).barred.contains(device);
    }

    @Override
    public double seconds(int unit, int device) {
      questions++;
      return units.get(unit).cost / speeds[device];
    }

    @Override
    public int groups() {
      return groups;
    }

    @Override
    public int devices() {
      return speeds.length;
    }

    @Override
    public boolean serves(int device) {
      return true;
    }

    @Override
    public double backlogSeconds(int device) {
      return backlogs[device];
    }
  }

  private View whole() {
    return new View(all, jobs.values().stream().mapToInt(Job::groups).max().orElse(1), 0);
  }

  @Override
  public int size() {
    return all.size();
  }

  @Override
  public int group(int unit) {
    return whole().group(unit);
  }

  @Override
  public long order(int unit) {
    return whole().order(unit);
  }

  @Override
  public boolean mayRun(int unit, int device) {
    return whole().mayRun(unit, device);
  }

  @Override
  public double seconds(int unit, int device) {
    return whole().seconds(unit, device);
  }

  @Override
  public int groups() {
    return whole().groups();
  }

  @Override
  public int devices() {
    return speeds.length;
  }

  @Override
  public boolean serves(int device) {
    return true;
  }

  @Override
  public double backlogSeconds(int device) {
    return backlogs[device];
  }
}
