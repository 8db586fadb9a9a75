package dev.fairlead.service.job;

import dev.fairlead.media.job.JobStatus;
import dev.fairlead.media.local.TranscodeHost;
import dev.fairlead.media.records.JobId;
import dev.fairlead.service.http.JsonBody;
import dev.fairlead.service.http.Words;
import dev.fairlead.service.index.DeliveryTable;
import dev.fairlead.service.index.Index;
import dev.fairlead.service.index.IndexException;
import dev.fairlead.service.index.JobTable;
import dev.fairlead.service.webhook.Webhooks;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The jobs that are over, in the index. A job's log is the truth: what the index lacks, or has
 * beyond it, is set right by {@link #align}. Thread-safe.
 */
public final class EndedJobs {
  /** How long ago a job may have ended whose end is told when the index was lost. */
  private static final Duration TOLD = Duration.ofDays(1);

  private final JobTable table;
  private final Webhooks webhooks;
  private final BiConsumer<String, Throwable> mishaps;

  /**
   * Those of an index.
   *
   * @param webhooks tell others of their ends
   * @param mishaps takes what goes wrong; jobs go on without an index
   */
  public EndedJobs(Index index, Webhooks webhooks, BiConsumer<String, Throwable> mishaps) {
    this.table = new JobTable(index);
    this.webhooks = webhooks;
    this.mishaps = mishaps;
  }

  /** Takes a job down whose end is on record. */
  public void add(JobStatus status) {
    try {
      table.put(row(status), delivery(status));
      webhooks.wake();
    } catch (IndexException | IllegalStateException failure) {
      mishaps.accept("the index of job " + status.id(), failure);
    }
  }

  private static JobTable.Row row(JobStatus status) {
    return new JobTable.Row(
        status.id().value(),
        Words.of(status.state()),
        status.tenant(),
        status.input().toString(),
        status.output().toString(),
        ended(status),
        JsonBody.MAPPER.writeValueAsString(JobView.of(status)));
  }

  private static Instant ended(JobStatus status) {
    return status.facts().times().ended().orElse(status.id().time());
  }

  private static Optional<DeliveryTable.Row> delivery(JobStatus status) {
    return Optional.ofNullable(status.notes().get(Webhooks.NOTE))
        .map(url ->
            Webhooks.delivery(
                status.id().value(),
                url,
                ended(status),
                id ->
                    JsonBody.MAPPER.writeValueAsString(
                        new Ended("ended", id, JobView.of(status)))));
  }

  /**
   * What a webhook is told.
   *
   * @param delivery the same each time that it is told
   */
  record Ended(String event, String delivery, JobView job) {}

  JobView view(JobTable.Row row) {
    return told(JsonBody.MAPPER.readValue(row.view(), JobView.class));
  }

  JobView view(JobStatus status) {
    return told(JobView.of(status));
  }

  /** A job that is over, with what its webhook was told. */
  private JobView told(JobView view) {
    return view.webhook().isPresent() && view.state().isOver()
        ? webhooks.latest(view.id()).map(row -> view.with(WebhookView.of(row))).orElse(view)
        : view;
  }

  void remove(JobId id) {
    table.remove(id.value());
  }

  JobTable table() {
    return table;
  }

  /** Makes the index say what the logs of a host say. */
  public void align(TranscodeHost host) {
    Set<String> extra = new HashSet<>(table.ids());
    List<JobId> ended = host.ended();
    for (JobId id : ended) {
      if (!extra.remove(id.value())) {
        JobStatus status = host.job(id).status();
        boolean late = ended(status).isBefore(Instant.now().minus(TOLD));
        table.put(row(status), late ? Optional.empty() : delivery(status));
      }
    }
    extra.forEach(table::remove);
    webhooks.wake();
  }
}
