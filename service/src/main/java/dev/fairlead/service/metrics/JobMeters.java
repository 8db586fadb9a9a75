package dev.fairlead.service.metrics;

import dev.fairlead.media.job.HostEvent;
import dev.fairlead.media.job.HostException;
import dev.fairlead.media.job.JobState;
import dev.fairlead.media.job.JobStatus;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.local.TranscodeHost;
import dev.fairlead.media.records.JobId;
import dev.fairlead.service.http.Words;
import dev.fairlead.service.index.JobTable;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Meters of a host's jobs: how many stand how, how long chunks take, and what tenants have had of
 * the devices since the start. Tenants beyond {@link #MOST_TENANTS} share one meter, as each name
 * is a series that a client has chosen. Hears events on one thread.
 */
final class JobMeters implements HostEvent.Listener {
  static final int MOST_TENANTS = 200;

  private static final String PREFIX = "fairlead.";

  /** No tenant can be called that. */
  private static final String OTHERS = "_others";

  private static final Duration[] BORDERS =
      Stream.of(100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000)
          .map(Duration::ofMillis)
          .toArray(Duration[]::new);

  private final TranscodeHost host;
  private final MeterRegistry registry;
  private final Timer chunks;
  private final Map<String, Counter> tenants = new HashMap<>();

  JobMeters(TranscodeHost host, JobTable over, MeterRegistry registry) {
    this.host = host;
    this.registry = registry;
    for (JobState state : JobState.values()) {
      Gauge.builder(PREFIX + "jobs", host, its -> count(its, over, state))
          .description("Jobs in a state.")
          .tag("state", Words.of(state))
          .register(registry);
    }
    this.chunks =
        Timer.builder(PREFIX + "chunk")
            .description("How long devices took for chunks that were committed.")
            .serviceLevelObjectives(BORDERS)
            .register(registry);
  }

  private static long count(TranscodeHost host, JobTable over, JobState state) {
    return state.isOver()
        ? over.count(Words.of(state))
        : host.jobs().stream().filter(job -> job.state() == state).count();
  }

  @Override
  public void on(HostEvent event) {
    if (event.what() instanceof HostEvent.What.Reported reported
        && reported.event() instanceof TranscodeListener.Event.Committed committed) {
      double seconds = committed.encoded().busySeconds();
      chunks.record(Duration.ofNanos(Math.round(seconds * 1e9)));
      tenant(event.job()).increment(seconds);
    }
  }

  private Counter tenant(JobId id) {
    String name;
    try {
      name = host.job(id).status().tenant();
    } catch (HostException.UnknownJob forgotten) {
      name = OTHERS;
    }
    return counter(tenants.containsKey(name) || tenants.size() < MOST_TENANTS ? name : OTHERS);
  }

  private Counter counter(String tenant) {
    return tenants.computeIfAbsent(
        tenant,
        _ ->
            Counter.builder(PREFIX + "tenant.device")
                .description("How long devices have worked for a tenant, by committed chunks.")
                .baseUnit("seconds")
                .tag("tenant", tenant)
                .register(registry));
  }

  @Override
  public void reset(List<JobStatus> jobs, long next) {
    // What was missed is missing in the counters only; states are the host's.
  }
}
