package dev.fairlead.simulator.rule;

import dev.fairlead.policy.FairBooks;
import dev.fairlead.policy.FairJob;
import dev.fairlead.policy.Forecast;
import dev.fairlead.policy.Priority;
import dev.fairlead.policy.SharedUnits;
import dev.fairlead.simulator.engine.Engine;
import dev.fairlead.simulator.engine.Tasks;
import dev.fairlead.simulator.workload.Tenancy;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Units of tenants' jobs that wait, with the production books of what each tenant has had. All of
 * their input is there. The units of a job are sorted by age, all together they are not: each knows
 * its place, so that it leaves without a search.
 */
final class SharedUnitsView extends UnitsView implements SharedUnits {
  private final Engine engine;
  private final Tasks tasks;
  private final Forecast forecast;
  private final TenantTally tally;
  private final FairBooks books = new FairBooks();
  private final JobUnits[] jobs;

  /** By task, the try that its tenant pays for. */
  private final Map<Integer, Paid> paid = new HashMap<>();

  private int[] places = new int[1024];

  private record Paid(FairBooks.Charge charge, int device, long from) {}

  /** The units of one job. */
  private final class JobUnits extends UnitsView implements Part {
    private final FairJob known;
    private int others;

    JobUnits(FairJob known, ServingDevices serving) {
      super(engine, forecast, serving);
      this.known = known;
    }

    @Override
    public int outer(int unit) {
      return places[task(unit)];
    }

    @Override
    public int others() {
      return others;
    }
  }

  SharedUnitsView(Engine engine, Forecast forecast, ServingDevices serving, TenantTally tally) {
    super(engine, forecast, serving);
    this.engine = engine;
    this.tasks = engine.tasks();
    this.forecast = forecast;
    this.tally = tally;
    Tenancy tenancy = tally.tenancy();
    this.jobs = new JobUnits[tenancy.jobs()];
    for (int job = 0; job < jobs.length; job++) {
      FairJob known =
          books.join(job, tenancy.tenants().get(tenancy.tenantOf(job)), Priority.NORMAL, job);
      jobs[job] = new JobUnits(known, serving);
    }
  }

  @Override
  public FairBooks books() {
    return books;
  }

  @Override
  public Part of(FairJob job, boolean whole, int others) {
    JobUnits units = jobs[(int) job.number()];
    units.others = others;
    return units;
  }

  private JobUnits job(int task) {
    return jobs[tasks.job(task)];
  }

  private void report(JobUnits job) {
    books.waiting(job.known, true, job.size(), engine.now());
  }

  @Override
  void add(int task) {
    if (task >= places.length) {
      places = Arrays.copyOf(places, 2 * task);
    }
    places[task] = size();
    addLast(task);
    job(task).add(task);
    report(job(task));
    tally.waits(tasks.job(task), engine.now());
  }

  @Override
  int take(int unit, int device) {
    int task = task(unit);
    JobUnits job = job(task);
    long now = engine.now();
    paid.put(
        task, new Paid(books.started(job.known, forecast, work(task), device, now), device, now));
    swapOut(unit);
    if (unit < size()) {
      places[task(unit)] = unit;
    }
    job.remove(job.indexOf(task));
    report(job);
    tally.starts(tasks.job(task), now);
    return task;
  }

  /** Clones are free, and so are tries that a device has failed. */
  @Override
  void over(int task, int device, boolean done) {
    if (done) {
      tally.done(tasks.job(task), tasks.cost(task));
    }
    Paid its = paid.get(task);
    if (its == null || its.device != device) {
      return;
    }
    paid.remove(task);
    if (!done && tasks.failedOn(task) == device) {
      books.returned(its.charge);
    } else {
      books.ended(its.charge, (engine.now() - its.from) / 1e9);
    }
  }

  @Override
  public boolean isOldestFirst() {
    return false;
  }

  @Override
  void pass() {
    books.pass(engine.now());
  }
}
