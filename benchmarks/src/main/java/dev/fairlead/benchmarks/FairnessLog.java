package dev.fairlead.benchmarks;

import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.job.TranscodeListener.Event;
import dev.fairlead.media.records.JobId;
import dev.fairlead.media.store.UnitId;
import dev.fairlead.policy.Tenant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How long jobs of tenants held slots, and when they began with chunks, by one clock. A chunk
 * counts once, for the device that committed it; of one that goes on, the time since it began. All
 * lanes are alike, so a second of one weighs as much as a second of another. Thread-safe.
 */
final class FairnessLog {
  private static final double STEP_SECONDS = 0.1;

  private record Chunk(JobId job, UnitId unit) {}

  private record Held(String tenant, double from, double to) {
    /** For how long until then. */
    double until(double at) {
      return Math.max(0, Math.min(to, at) - from);
    }
  }

  private record Start(JobId job, double seconds, double offered) {}

  // Guarded by this.
  private final Map<Chunk, Held> held = new HashMap<>();
  private final Set<Chunk> committed = new HashSet<>();
  private final List<Start> starts = new ArrayList<>();

  /**
   * Takes the events of a job.
   *
   * @param begun when its clock began
   */
  TranscodeListener of(JobId job, Tenant tenant, double begun) {
    return event -> on(job, tenant.name(), begun, event);
  }

  private synchronized void on(JobId job, String tenant, double begun, Event event) {
    switch (event) {
      case Event.Started started -> {
        double at = begun + started.seconds();
        starts.add(new Start(job, at, begun + started.offeredSeconds()));
        held.putIfAbsent(
            new Chunk(job, started.unit()), new Held(tenant, at, Double.POSITIVE_INFINITY));
      }
      case Event.Committed done -> {
        Chunk chunk = new Chunk(job, done.unit());
        double from = begun + done.encoded().fromSeconds();
        committed.add(chunk);
        held.put(chunk, new Held(tenant, from, from + done.encoded().busySeconds()));
      }
      case Event.Requeued again -> ended(new Chunk(job, again.unit()));
      case Event.Noticed noticed ->
          noticed.interrupted().forEach(unit -> ended(new Chunk(job, unit)));
      case Event.Planned _,
          Event.Assigned _,
          Event.SegmentWritten _,
          Event.RungWritten _,
          Event.Progress _,
          Event.Finished _ -> {}
    }
  }

  /** A try came to nothing; it is free. */
  private void ended(Chunk chunk) {
    if (!committed.contains(chunk)) {
      held.remove(chunk);
    }
  }

  /** When the first chunk of all was begun; not a number before. */
  synchronized double first() {
    return starts.stream().mapToDouble(Start::seconds).min().orElse(Double.NaN);
  }

  synchronized boolean hasBegun(JobId job) {
    return starts.stream().anyMatch(start -> start.job.equals(job));
  }

  /** What part of all seconds until then each tenant has had. */
  synchronized Map<String, Double> shares(List<Tenant> tenants, double at) {
    double all = held.values().stream().mapToDouble(each -> each.until(at)).sum();
    Map<String, Double> shares = new LinkedHashMap<>();
    for (Tenant tenant : tenants) {
      double its =
          held.values().stream()
              .filter(each -> each.tenant.equals(tenant.name()))
              .mapToDouble(each -> each.until(at))
              .sum();
      shares.put(tenant.name(), all == 0 ? 0 : its / all);
    }
    return shares;
  }

  /** How far a tenant's share was off what it is due, at the worst moment of a time. */
  double worstDeviation(List<Tenant> tenants, double from, double to) {
    double weights = tenants.stream().mapToDouble(Tenant::weight).sum();
    double worst = 0;
    for (int step = 0; from + step * STEP_SECONDS <= to; step++) {
      Map<String, Double> shares = shares(tenants, from + step * STEP_SECONDS);
      for (Tenant tenant : tenants) {
        double due = tenant.weight() / weights;
        worst = Math.max(worst, Math.abs(shares.getOrDefault(tenant.name(), 0.0) - due));
      }
    }
    return worst;
  }

  /** Chunks of others that were begun from when a job's first was offered until it was begun. */
  synchronized int othersStartedBefore(JobId job) {
    List<Start> its = starts.stream().filter(start -> start.job.equals(job)).toList();
    double offered = its.stream().mapToDouble(Start::offered).min().orElseThrow();
    double begun = its.stream().mapToDouble(Start::seconds).min().orElseThrow();
    return (int)
        starts.stream()
            .filter(start -> !start.job.equals(job))
            .filter(start -> start.seconds >= offered && start.seconds < begun)
            .count();
  }
}
