package dev.fairlead.service.job;

import dev.fairlead.media.job.JobStatus;
import dev.fairlead.media.local.TranscodeHost;
import dev.fairlead.media.records.JobId;
import dev.fairlead.service.http.JsonBody;
import dev.fairlead.service.http.Words;
import dev.fairlead.service.index.Index;
import dev.fairlead.service.index.IndexException;
import dev.fairlead.service.index.JobTable;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The jobs that are over, in the index. A job's log is the truth: what the index lacks, or has
 * beyond it, is set right by {@link #align}. Thread-safe.
 */
public final class EndedJobs {
  private final JobTable table;
  private final BiConsumer<String, Throwable> mishaps;

  /**
   * Those of an index.
   *
   * @param mishaps takes what goes wrong; jobs go on without an index
   */
  public EndedJobs(Index index, BiConsumer<String, Throwable> mishaps) {
    this.table = new JobTable(index);
    this.mishaps = mishaps;
  }

  /** Takes a job down whose end is on record. */
  public void add(JobStatus status) {
    try {
      table.put(row(status));
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
        status.facts().times().ended().orElse(status.id().time()),
        JsonBody.MAPPER.writeValueAsString(JobView.of(status)));
  }

  static JobView view(JobTable.Row row) {
    return JsonBody.MAPPER.readValue(row.view(), JobView.class);
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
        table.put(row(host.job(id).status()));
      }
    }
    extra.forEach(table::remove);
  }
}
