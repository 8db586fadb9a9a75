package dev.fairlead.benchmarks;

import dev.fairlead.media.records.JobId;
import dev.fairlead.policy.Priority;
import dev.fairlead.policy.Tenant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/**
 * Two tenants, three to one, whose queues never become short, on one host with the processor's
 * lanes, or at a service: how far what each has had is off its share from the tenth second on. Then
 * an urgent job of the tenant that is due more: how many chunks of others are begun before its
 * first, once that can be taken. Of several rounds, the one whose deviation is the median is told,
 * with the largest number of others.
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

  private final SharedFleet fleet;
  private final FairnessLog log;
  private final DoubleSupplier clock;
  private int jobs;

  private FairnessBench(SharedFleet fleet, FairnessLog log, DoubleSupplier clock) {
    this.fleet = fleet;
    this.log = log;
    this.clock = clock;
  }

  /**
   * Measures.
   *
   * @param seconds for how long the tenants share
   * @param service the command that runs fairlead, to have a service share; else a host does
   */
  public static Figures run(
      int rounds, int seconds, Optional<List<String>> service, Consumer<String> progress)
      throws IOException, InterruptedException {
    if (seconds <= FROM_SECONDS) {
      throw new IllegalArgumentException(
          "--seconds is more than %d, from when on shares are looked at".formatted(FROM_SECONDS));
    }
    List<Figures> all = new ArrayList<>();
    try (Scratch scratch = Scratch.open()) {
      progress.accept("making a clip of %d s".formatted(CLIP_SECONDS));
      for (int round = 1; round <= rounds; round++) {
        Path directory =
            Files.createDirectories(scratch.directory().resolve("round" + round)).toRealPath();
        Path clip = directory.resolve("clip.mp4");
        new BundledFfmpeg().makeClip(clip, CLIP_SECONDS, 640, 360);
        FairnessLog log = new FairnessLog();
        long begun = System.nanoTime();
        DoubleSupplier clock = () -> (System.nanoTime() - begun) / 1e9;
        try (SharedFleet fleet =
            service.isPresent()
                ? ServedFleet.start(service.get(), directory, clip, LADDER, TENANTS, log, clock)
                : new HostFleet(directory, clip, LADDER, log, clock)) {
          all.add(new FairnessBench(fleet, log, clock).measure(seconds));
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

  private Figures measure(int seconds) throws IOException, InterruptedException {
    double patience = clock.getAsDouble() + PATIENCE_SECONDS;
    until(() -> !Double.isNaN(log.first()), patience, "No chunk was begun");
    double first = log.first();
    double end = first + seconds;
    until(() -> clock.getAsDouble() >= end, Double.POSITIVE_INFINITY, "");
    JobId urgent = submit(BUSY, Priority.HIGH);
    until(
        () -> log.hasBegun(urgent),
        clock.getAsDouble() + PATIENCE_SECONDS,
        "The urgent job did not begin");
    return new Figures(
        log.worstDeviation(TENANTS, first + FROM_SECONDS, end),
        log.shares(TENANTS, end),
        log.othersStartedBefore(urgent),
        fleet.lanes(),
        seconds,
        jobs);
  }

  private JobId submit(Tenant tenant, Priority priority) throws IOException, InterruptedException {
    jobs++;
    return fleet.submit(tenant, priority);
  }

  /** Keeps queues long until then. */
  private void until(BooleanSupplier condition, double latest, String otherwise)
      throws IOException, InterruptedException {
    int wanted = fleet.lanes() + MORE_JOBS;
    while (!condition.getAsBoolean()) {
      if (clock.getAsDouble() > latest) {
        throw new IllegalStateException("%s within %.0f s".formatted(otherwise, PATIENCE_SECONDS));
      }
      Map<Tenant, Long> present = new HashMap<>();
      for (Tenant tenant : TENANTS) {
        present.put(tenant, fleet.present(tenant));
      }
      for (int more = 0; more < wanted; more++) {
        for (Tenant tenant : TENANTS) {
          if (Objects.requireNonNull(present.get(tenant)) + more < wanted) {
            submit(tenant, Priority.NORMAL);
          }
        }
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }
}
