package dev.fairlead.benchmarks;

import dev.fairlead.device.Device;
import dev.fairlead.device.Discovery;
import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.job.JobState;
import dev.fairlead.media.job.JobStatus;
import dev.fairlead.media.local.HostLimits;
import dev.fairlead.media.local.JobOrder;
import dev.fairlead.media.local.TranscodeHost;
import dev.fairlead.media.plan.LadderSpec;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.records.JobId;
import dev.fairlead.policy.Priority;
import dev.fairlead.policy.Tenant;
import dev.fairlead.pool.DevicePool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Two tenants, three to one, whose queues never become short, on one host with the processor's
 * lanes: how far what each has had is off its share from the tenth second on. Then an urgent job of
 * the tenant that is due more: how many chunks of others are begun before its first, once that can
 * be taken. Of several rounds, the one whose deviation is the median is told, with the largest
 * number of others.
 *
 * <p>Run: {@code ./fairlead bench fairness}
 */
public final class FairnessBench {
  /** From when on shares are looked at, in seconds after the first chunk was begun. */
  public static final int FROM_SECONDS = 10;

  private static final Tenant BUSY = new Tenant("busy", 3);
  private static final Tenant OTHER = new Tenant("other", 1);
  private static final List<Tenant> TENANTS = List.of(BUSY, OTHER);
  private static final int CLIP_SECONDS = 16;
  private static final String LADDER = "640x360,480x270";
  private static final long LOOK_MILLIS = 100;
  private static final double PATIENCE_SECONDS = 60;

  /** Jobs of a tenant that wait or run beyond those that can run at once. */
  private static final int MORE_JOBS = 4;

  /**
   * What was measured.
   *
   * @param worstDeviation from the tenth second on
   * @param shares of the tenants, at the end
   * @param lanes chunks that can be encoded at a time
   * @param seconds for how long the tenants shared
   * @param jobs how many there were
   */
  public record Figures(
      double worstDeviation,
      Map<String, Double> shares,
      int othersStartedBeforeUrgent,
      int lanes,
      int seconds,
      int jobs) {}

  private final Path directory;
  private final Path clip;
  private final TranscodeHost host;
  private final int lanes;
  private final FairnessLog log = new FairnessLog();
  private final Map<JobId, Tenant> jobs = new HashMap<>();
  private final long begun = System.nanoTime();

  private FairnessBench(Path directory, Path clip, DevicePool pool) {
    this.directory = directory;
    this.clip = clip;
    this.lanes = pool.devices().stream().mapToInt(Device::slots).sum();
    this.host =
        TranscodeHost.open(JobOptions.usual(pool), HostLimits.usual(pool).withMinFreeBytes(0));
  }

  /**
   * Measures.
   *
   * @param seconds for how long the tenants share
   */
  public static Figures run(int rounds, int seconds, Consumer<String> progress)
      throws IOException, InterruptedException {
    if (seconds <= FROM_SECONDS) {
      throw new IllegalArgumentException(
          "--seconds is more than %d, from when on shares are looked at".formatted(FROM_SECONDS));
    }
    List<Figures> all = new ArrayList<>();
    try (Scratch scratch = Scratch.open()) {
      progress.accept("making a clip of %d s".formatted(CLIP_SECONDS));
      Path clip = scratch.directory().resolve("clip.mp4");
      new BundledFfmpeg().makeClip(clip, CLIP_SECONDS, 640, 360);
      for (int round = 1; round <= rounds; round++) {
        Path directory = scratch.directory().resolve("round" + round);
        try (DevicePool pool = DevicePool.open(Discovery.find("cpu"))) {
          all.add(new FairnessBench(directory, clip, pool).measure(seconds));
        }
        Scratch.delete(directory);
        progress.accept("round %d: %s".formatted(round, all.getLast()));
      }
    }
    return together(all);
  }

  static Figures together(List<Figures> rounds) {
    List<Figures> sorted =
        rounds.stream().sorted(Comparator.comparingDouble(Figures::worstDeviation)).toList();
    Figures median = sorted.get(sorted.size() / 2);
    return new Figures(
        median.worstDeviation,
        median.shares,
        rounds.stream().mapToInt(Figures::othersStartedBeforeUrgent).max().orElseThrow(),
        median.lanes,
        median.seconds,
        median.jobs);
  }

  private Figures measure(int seconds) throws InterruptedException {
    try {
      double patience = seconds() + PATIENCE_SECONDS;
      until(() -> !Double.isNaN(log.first()), patience, "No chunk was begun");
      double first = log.first();
      double end = first + seconds;
      until(() -> seconds() >= end, Double.POSITIVE_INFINITY, "");
      JobId urgent = submit(BUSY, Priority.HIGH);
      until(
          () -> log.hasBegun(urgent), seconds() + PATIENCE_SECONDS, "The urgent job did not begin");
      return new Figures(
          log.worstDeviation(TENANTS, first + FROM_SECONDS, end),
          log.shares(TENANTS, end),
          log.othersStartedBefore(urgent),
          lanes,
          seconds,
          jobs.size());
    } finally {
      host.cancelAndClose();
    }
  }

  /** Keeps queues long until then. */
  private void until(BooleanSupplier condition, double latest, String otherwise)
      throws InterruptedException {
    while (!condition.getAsBoolean()) {
      if (seconds() > latest) {
        throw new IllegalStateException("%s within %.0f s".formatted(otherwise, PATIENCE_SECONDS));
      }
      List<JobStatus> now = host.jobs();
      for (JobStatus job : now) {
        if (job.state() == JobState.FAILED) {
          throw new IllegalStateException("A job has failed: " + job.reason());
        }
      }
      for (int more = 0; more < lanes + MORE_JOBS; more++) {
        for (Tenant tenant : TENANTS) {
          if (present(now, tenant) + more < lanes + MORE_JOBS) {
            submit(tenant, Priority.NORMAL);
          }
        }
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  /** How many of a tenant's jobs wait or run. */
  private long present(List<JobStatus> all, Tenant tenant) {
    return all.stream()
        .filter(job -> !job.state().isOver() && tenant.equals(jobs.get(job.id())))
        .count();
  }

  private JobId submit(Tenant tenant, Priority priority) {
    TranscodeRequest request =
        TranscodeRequest.of(clip, directory.resolve("out" + jobs.size()))
            .withLadder(LadderSpec.parse(LADDER));
    JobOrder order = JobOrder.of(request, host.options()).withTenant(tenant).withPriority(priority);
    jobs.put(order.id(), tenant);
    host.submit(order.withListener(log.of(order.id(), tenant, seconds())));
    return order.id();
  }

  private double seconds() {
    return (System.nanoTime() - begun) / 1e9;
  }
}
