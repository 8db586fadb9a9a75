package dev.fairlead.media.host;

import dev.fairlead.media.records.JobId;
import dev.fairlead.policy.FairShares;
import dev.fairlead.policy.Priority;
import dev.fairlead.policy.Tenant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Which job of a host starts next, and which one is parked for it: a function of how all of them
 * stand.
 *
 * <p>Tenants come first. Of those that wait, one that holds no place goes before all others, and of
 * several such the one with the smallest virtual time. Then comes the tenant that would hold the
 * fewest places for its weight with one more; again the smallest time decides between equals.
 * Within a tenant the more urgent job goes first, then the older.
 *
 * <p>Where there is no place, a tenant that holds several gives one to a tenant that holds none, or
 * that holds no more for its weight with it than the giver without it. So a place never goes back:
 * the giver holds at least as much for its weight as the taker, and a tenant's only place stays its
 * own. Nor is a start undone, since the tenant that starts a job is the one that would hold the
 * fewest. Within a tenant a job gives its place to a more urgent one.
 *
 * <p>A place that is being given up is kept for the job that it is given up for, and counts as its
 * tenant's from then on.
 */
public final class StartOrder {
  /** How a job stands. */
  public enum Standing {
    WAITING,
    /** Waits, and another one was parked for it, or is being parked: the place is kept. */
    NEXT,
    /** Runs, but not for long enough to be parked for another tenant. */
    STARTED,
    RUNNING,
    /** Runs until it is parked. */
    PARKING;

    private boolean waits() {
      return this == WAITING || this == NEXT;
    }

    private boolean hasPlace() {
      return this == NEXT || stays();
    }

    private boolean stays() {
      return this == STARTED || this == RUNNING;
    }
  }

  /** A job that waits or runs. */
  public record Job(JobId id, Tenant tenant, Priority priority, Standing standing) {}

  /** What a tenant has. */
  private record Holder(int places, double weight, double time, JobId oldest) {
    /** What it would hold for its weight with so many more places. */
    double share(int more) {
      return (places + more) / weight;
    }
  }

  private static final Comparator<Job> IN_TENANT =
      Comparator.comparing(Job::priority, Comparator.reverseOrder()).thenComparing(Job::id);

  private static final Comparator<Holder> TENANTS =
      Comparator.comparing((Holder holder) -> holder.places > 0)
          .thenComparingDouble(holder -> holder.places > 0 ? holder.share(1) : 0)
          .thenComparingDouble(Holder::time)
          .thenComparing(Holder::oldest);

  private final List<Job> jobs;
  private final List<Job> running;
  private final Map<String, Holder> holders = new HashMap<>();

  /**
   * The order of these jobs.
   *
   * @param jobs all that wait for a place or have one
   * @param shares what tenants have had
   */
  public StartOrder(List<Job> jobs, FairShares shares) {
    this.jobs = jobs.stream().sorted(Comparator.comparing(Job::id)).toList();
    this.running = this.jobs.stream().filter(job -> job.standing.stays()).toList();
    Map<String, Double> times = new HashMap<>();
    for (FairShares.Share share : shares.tenants()) {
      // The time of one that is absent is what it would return with.
      times.put(
          share.tenant().name(),
          share.present() ? share.time() : Math.max(share.time(), shares.floor()));
    }
    for (Job job : this.jobs) {
      String name = job.tenant.name();
      Holder before = holders.get(name);
      holders.put(
          name,
          new Holder(
              (before == null ? 0 : before.places) + (job.standing.hasPlace() ? 1 : 0),
              job.tenant.weight(), // of the youngest job
              times.getOrDefault(name, shares.floor()),
              before == null ? job.id : before.oldest));
    }
  }

  private Holder holder(Job job) {
    return Objects.requireNonNull(holders.get(job.tenant.name()));
  }

  /** Those that wait, the one that starts next first; a start may change the order of the rest. */
  public List<Job> waiting() {
    return jobs.stream()
        .filter(job -> job.standing.waits())
        .sorted(
            Comparator.comparing((Job job) -> job.standing == Standing.WAITING)
                .thenComparing(this::holder, TENANTS)
                .thenComparing(IN_TENANT))
        .toList();
  }

  /** Which job that runs gives its place to one that waits; empty if none does. */
  public Optional<Job> toPark(Job waiting) {
    Holder taker = holder(waiting);
    int without = waiting.standing == Standing.NEXT ? -1 : 0;
    return running.stream()
        .filter(job -> job.standing == Standing.RUNNING)
        .filter(job -> !job.tenant.name().equals(waiting.tenant.name()))
        .filter(job -> gives(holder(job), taker, without))
        .max(
            Comparator.comparingDouble((Job job) -> holder(job).share(-1)).thenComparing(IN_TENANT))
        .or(() -> lessUrgent(waiting));
  }

  /**
   * Whether a tenant is to give a place to another.
   *
   * @param without what is not to be counted of the taker's places
   */
  private static boolean gives(Holder giver, Holder taker, int without) {
    return giver.places > 1
        && (taker.places + without == 0 || taker.share(without + 1) <= giver.share(-1));
  }

  private Optional<Job> lessUrgent(Job waiting) {
    return running.stream()
        .filter(job -> job.tenant.name().equals(waiting.tenant.name()))
        .filter(job -> job.priority.compareTo(waiting.priority) < 0)
        .max(IN_TENANT);
  }
}
