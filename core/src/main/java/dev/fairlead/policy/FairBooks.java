package dev.fairlead.policy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * What fair sharing remembers between decisions: how much each tenant has had, and whose turn it
 * is. The owner of waiting units keeps them and reports what happens; {@link FairPolicy} reads
 * them.
 *
 * <p>A tenant's virtual time is what it was charged, in seconds, divided by its weight; the tenant
 * with the smallest goes first. A try is charged its predicted seconds when it starts, so that
 * several devices that are free at once do not all go to one tenant, and what it really took when
 * it ends. Seconds are weighed by how fast the device is against the mean. A tenant that has
 * nothing waiting or running is absent. When it returns, its time is at least the smallest of those
 * present (of the last one, if none is): absence saves nothing up, and what it had before is not
 * forgotten.
 *
 * <p>Jobs of a tenant go by priority, then by age. A job that had units waiting for {@link
 * #PATIENCE} and none started counts one step higher until its next unit.
 *
 * <p>Everything is kept in order, so that whose turn it is costs no more with more jobs. One thread
 * changes these books and asks for turns; any may take {@link #shares}.
 */
public final class FairBooks {
  /** After this long without a unit started, a job that waits counts one step higher. */
  public static final Duration PATIENCE = Duration.ofMinutes(10);

  /** How much the latest end counts in what a try usually takes. */
  private static final double LATEST = 0.2;

  /** What a try was charged when it started. */
  public static final class Charge {
    private final TenantAccount tenant;
    private final double factor;
    private final double charged;
    private final double seconds;

    private Charge(TenantAccount tenant, double factor, double seconds) {
      this.tenant = tenant;
      this.factor = factor;
      this.seconds = seconds;
      this.charged = seconds / tenant.weight();
    }
  }

  private final Map<String, TenantAccount> tenants = new HashMap<>();
  private final NavigableSet<TenantAccount> present = new TreeSet<>(TenantAccount.TURN);
  private final NavigableSet<TenantAccount> withWhole = new TreeSet<>(TenantAccount.TURN);
  private final NavigableSet<TenantAccount> withPartial = new TreeSet<>(TenantAccount.TURN);

  /** Those that had no work when that was last looked at; absent if they still have none. */
  private final List<TenantAccount> idle = new ArrayList<>();

  /** Those that wait and are not lifted; times do not fall, so the longest unserved is first. */
  private final Set<FairJob> unserved = new LinkedHashSet<>();

  private double floor;
  private double usualSeconds = 1;

  /** Books in which nothing stands. */
  public FairBooks() {
    this(FairShares.NONE);
  }

  /** Books that go on where others have ended. */
  public FairBooks(FairShares saved) {
    floor = saved.floor();
    for (FairShares.Share share : saved.tenants()) {
      tenants.put(
          share.tenant().name(),
          new TenantAccount(share.tenant().name(), share.tenant().weight(), share.time()));
    }
  }

  // ---- what happens

  /**
   * A job has come; nothing of it waits yet.
   *
   * @param number by which its owner knows it, never given to another
   * @param since when it came; smaller is older
   */
  public synchronized FairJob join(long number, Tenant tenant, Priority priority, long since) {
    TenantAccount account =
        tenants.computeIfAbsent(tenant.name(), name -> new TenantAccount(name, tenant.weight(), 0));
    account.weight(tenant.weight());
    return new FairJob(number, since, account, priority);
  }

  /** A tenant has another weight from now on; what it was charged so far stays as it is. */
  public synchronized void weigh(Tenant tenant) {
    TenantAccount account = tenants.get(tenant.name());
    if (account != null) {
      account.weight(tenant.weight());
    }
  }

  /** How many units of a job devices may take now. */
  public synchronized void waiting(FairJob job, boolean whole, int count, long now) {
    if (job.waiting(whole) == count) {
      return;
    }
    TenantAccount tenant = job.tenant();
    boolean waited = job.waits();
    if (job.waiting(whole) == 0) {
      tenant.jobs(whole).add(job);
    } else if (count == 0) {
      tenant.jobs(whole).remove(job);
    }
    job.waiting(whole, count);
    if (job.waits() != waited) {
      tenant.waitingJobs(waited ? -1 : 1);
      if (waited) {
        unserved.remove(job);
        relevel(job, job.priority(), false);
      } else {
        job.unservedSince(now);
        unserved.add(job);
      }
    }
    moved(tenant);
  }

  public synchronized void priority(FairJob job, Priority priority) {
    relevel(job, priority, job.isLifted());
  }

  /** A try of a job's unit starts on a device, for which so much is forecast. */
  public Charge started(FairJob job, Forecast forecast, Work work, int device, long now) {
    double predicted = forecast.isLearned(work) ? forecast.seconds(work, device) : Double.NaN;
    return started(job, predicted, forecast.relativeSpeed(work, device), now);
  }

  /**
   * A try of a job's unit starts.
   *
   * @param predictedSeconds NaN if nothing is known of such work
   * @param speed how fast the device is with such work against the mean of all
   */
  synchronized Charge started(FairJob job, double predictedSeconds, double speed, long now) {
    double seconds = Double.isNaN(predictedSeconds) ? usualSeconds : predictedSeconds * speed;
    Charge charge = new Charge(job.tenant(), speed, seconds);
    served(job, now);
    change(job.tenant(), charge.charged, seconds, 1);
    return charge;
  }

  /** A try is over after it has had its slot for so long. */
  public synchronized void ended(Charge charge, double heldSeconds) {
    double seconds = heldSeconds * charge.factor;
    usualSeconds += LATEST * (seconds - usualSeconds);
    change(
        charge.tenant,
        seconds / charge.tenant.weight() - charge.charged,
        seconds - charge.seconds,
        -1);
  }

  /** A try is over that its tenant need not pay for: it never ran, or its device has failed it. */
  public synchronized void returned(Charge charge) {
    change(charge.tenant, -charge.charged, -charge.seconds, -1);
  }

  private void served(FairJob job, long now) {
    boolean waits = unserved.remove(job) || job.isLifted();
    relevel(job, job.priority(), false);
    job.unservedSince(now);
    if (waits) {
      unserved.add(job);
    }
  }

  /**
   * What was to be reported at this moment has been: tenants without work are absent, and jobs that
   * have waited for too long count one step higher.
   */
  public synchronized void pass(long now) {
    for (TenantAccount tenant : idle) {
      if (tenant.isPresent() && !tenant.hasWork()) {
        floor = floor();
        present.remove(tenant);
        tenant.present(false);
      }
    }
    idle.clear();
    for (Iterator<FairJob> each = unserved.iterator(); each.hasNext(); ) {
      FairJob job = each.next();
      if (now - job.unservedSince() < PATIENCE.toNanos()) {
        break;
      }
      each.remove();
      relevel(job, job.priority(), true);
    }
  }

  private static void relevel(FairJob job, Priority priority, boolean lifted) {
    if (job.priority() == priority && job.isLifted() == lifted) {
      return;
    }
    boolean inWhole = job.tenant().jobs(true).remove(job);
    boolean inPartial = job.tenant().jobs(false).remove(job);
    job.priority(priority);
    job.lifted(lifted);
    if (inWhole) {
      job.tenant().jobs(true).add(job);
    }
    if (inPartial) {
      job.tenant().jobs(false).add(job);
    }
  }

  private void change(TenantAccount tenant, double time, double seconds, int running) {
    boolean inPresent = present.remove(tenant);
    boolean inWhole = withWhole.remove(tenant);
    boolean inPartial = withPartial.remove(tenant);
    tenant.time(tenant.time() + time);
    tenant.charge(seconds);
    tenant.running(running);
    if (inPresent) {
      present.add(tenant);
    }
    if (inWhole) {
      withWhole.add(tenant);
    }
    if (inPartial) {
      withPartial.add(tenant);
    }
    moved(tenant);
  }

  /** A tenant has come, may have gone, or has other jobs waiting than before. */
  private void moved(TenantAccount tenant) {
    if (!tenant.hasWork()) {
      idle.add(tenant);
    } else if (!tenant.isPresent()) {
      tenant.time(Math.max(tenant.time(), floor()));
      tenant.present(true);
      present.add(tenant);
    }
    keep(withWhole, tenant, !tenant.jobs(true).isEmpty());
    keep(withPartial, tenant, !tenant.jobs(false).isEmpty());
  }

  private static void keep(NavigableSet<TenantAccount> set, TenantAccount tenant, boolean in) {
    boolean _ = in ? set.add(tenant) : set.remove(tenant);
  }

  /** The smallest time of those that are present, of the last one that was if none is. */
  private double floor() {
    return present.isEmpty() ? floor : present.first().time();
  }

  // ---- whose turn it is

  /** What a try was charged of late. */
  double usualSeconds() {
    return usualSeconds;
  }

  /** Tenants with jobs that wait. */
  NavigableSet<TenantAccount> turns(boolean whole) {
    return whole ? withWhole : withPartial;
  }

  /** What each tenant has had. */
  public synchronized FairShares shares() {
    return new FairShares(
        floor(),
        tenants.values().stream()
            .sorted(TenantAccount.TURN)
            .map(tenant ->
                new FairShares.Share(
                    new Tenant(tenant.name(), tenant.weight()),
                    tenant.time(),
                    tenant.chargedSeconds(),
                    tenant.isPresent()))
            .toList());
  }
}
