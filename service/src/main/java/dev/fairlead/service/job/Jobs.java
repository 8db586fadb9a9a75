package dev.fairlead.service.job;

import dev.fairlead.media.job.HostException;
import dev.fairlead.media.job.JobState;
import dev.fairlead.media.job.JobStatus;
import dev.fairlead.media.job.Transcode;
import dev.fairlead.media.local.JobOrder;
import dev.fairlead.media.local.TranscodeHost;
import dev.fairlead.media.records.JobId;
import dev.fairlead.service.http.Problem;
import dev.fairlead.service.http.Status;
import dev.fairlead.service.http.Words;
import dev.fairlead.service.index.JobTable;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The jobs of a service: those that are not over are the host's, the others are in the index.
 * Thread-safe.
 */
public final class Jobs {
  private final TranscodeHost host;
  private final EndedJobs ended;
  private final JobFiles files;
  private final Consumer<JobId> forgotten;

  /**
   * Which jobs are asked for.
   *
   * @param after the last id of the page before
   */
  record Filter(Optional<JobState> state, Optional<String> tenant, Optional<String> after) {
    boolean takes(JobStatus job) {
      return after.filter(last -> job.id().value().compareTo(last) >= 0).isEmpty()
          && state.filter(wanted -> job.state() != wanted).isEmpty()
          && tenant.filter(wanted -> !job.tenant().equals(wanted)).isEmpty();
    }
  }

  /**
   * Jobs of a host.
   *
   * @param ended hears of each that ends
   * @param packages where outputs are that clients do not name
   * @param forgotten takes those of which nothing is to be kept any more
   */
  public Jobs(
      TranscodeHost host, EndedJobs ended, Path packages, Roots roots, Consumer<JobId> forgotten) {
    this.host = host;
    this.ended = ended;
    this.forgotten = forgotten;
    this.files = new JobFiles(packages.toAbsolutePath().normalize(), roots);
  }

  /**
   * Takes a job.
   *
   * @throws Problem if the host refuses it
   */
  JobView submit(JobOrder order) {
    return accepted(() -> host.submit(order));
  }

  /**
   * Has a job that failed or was cancelled begin again.
   *
   * @throws Problem if it cannot
   */
  JobView retry(Transcode job) {
    JobView again = accepted(() -> host.retry(job.id()));
    ended.remove(job.id());
    return again;
  }

  /** What a host may refuse. */
  private interface Ask {
    Transcode make();
  }

  private static JobView accepted(Ask ask) {
    try {
      return JobView.of(ask.make().status());
    } catch (HostException.OutputTaken | HostException.WrongState refused) {
      throw Problem.of(Status.CONFLICT, String.valueOf(refused.getMessage()));
    } catch (HostException.Closed closing) {
      throw Problem.of(Status.UNAVAILABLE, "The server is being stopped");
    }
  }

  /**
   * A job by its id.
   *
   * @throws Problem if there is none
   */
  Transcode find(String id) {
    try {
      return host.job(JobId.parse(id));
    } catch (IllegalArgumentException | HostException.UnknownJob none) {
      throw Problem.of(Status.NOT_FOUND, "There is no job " + id);
    }
  }

  /** A job as the API shows it. */
  JobView view(Transcode job) {
    return ended.view(job.status());
  }

  /** The same of one that may not be there. */
  Optional<JobView> shown(JobId id) {
    try {
      return Optional.of(view(host.job(id)));
    } catch (HostException.UnknownJob none) {
      return Optional.empty();
    }
  }

  /** For how long devices have worked on the jobs of each tenant that are kept. */
  public Map<String, Double> deviceSeconds() {
    Map<String, Double> seconds = new HashMap<>(ended.table().deviceSeconds());
    host.jobs().stream()
        .filter(job -> !job.state().isOver()) // the others are in the index
        .map(JobView::of)
        .forEach(job -> seconds.merge(job.tenant(), job.deviceSeconds(), Double::sum));
    return seconds;
  }

  /** Newest first. Ids are in the order of time, so a page goes on below the last one before. */
  JobView.JobPage page(Filter filter, int limit) {
    // The host first: a job that leaves it is in the index by then.
    List<JobStatus> here = host.jobs();
    Set<String> ids = here.stream().map(job -> job.id().value()).collect(Collectors.toSet());
    List<JobView> page =
        Stream.concat(
                here.stream().filter(filter::takes).map(ended::view),
                over(filter, ids, limit + 1).stream().map(ended::view))
            .sorted(Comparator.comparing(JobView::id).reversed())
            .limit(limit + 1L)
            .toList();
    return page.size() > limit
        ? new JobView.JobPage(page.subList(0, limit), Optional.of(page.get(limit - 1).id()))
        : new JobView.JobPage(page, Optional.empty());
  }

  /** The newest of the index, without some that the host has. */
  private List<JobTable.Row> over(Filter filter, Set<String> without, int count) {
    if (filter.state.filter(state -> !state.isOver()).isPresent()) {
      return List.of();
    }
    List<JobTable.Row> found = new ArrayList<>();
    Optional<String> before = filter.after;
    while (true) {
      JobTable.Filter wanted =
          new JobTable.Filter(filter.state.map(Words::of), filter.tenant, before);
      List<JobTable.Row> rows = ended.table().page(wanted, count);
      rows.stream().filter(row -> !without.contains(row.id())).forEach(found::add);
      if (rows.size() < count || found.size() >= count) {
        return List.copyOf(found);
      }
      before = Optional.of(rows.getLast().id());
    }
  }

  /**
   * Removes a job that is over, with what it has written: the files first, so that a job is there
   * for as long as something of it is.
   *
   * @throws Problem if it is not over
   */
  void remove(Transcode job) {
    JobStatus status = job.status();
    if (!status.state().isOver()) {
      throw Problem.of(
          Status.CONFLICT,
          "Job %s is %s and cannot be removed; cancel it first"
              .formatted(job.id(), Words.of(status.state())));
    }
    if (isOnlyUser(status)) {
      files.remove(status.output());
    }
    host.forget(job.id());
    ended.remove(job.id());
    forgotten.accept(job.id());
  }

  private boolean isOnlyUser(JobStatus status) {
    String output = status.output().toString();
    return Stream.concat(
            host.jobs().stream()
                .filter(job -> job.output().equals(status.output()))
                .map(job -> job.id().value()),
            ended.table().withOutput(output).stream().map(JobTable.Row::id))
        .allMatch(status.id().value()::equals);
  }

  /** Removes all that ended before a moment. */
  void removeEndedBefore(Instant moment) {
    int atOnce = 100;
    while (true) {
      List<JobTable.Row> old = ended.table().endedBefore(moment, atOnce);
      for (JobTable.Row row : old) {
        try {
          remove(host.job(new JobId(row.id())));
        } catch (HostException.UnknownJob gone) {
          ended.table().remove(row.id());
        }
      }
      if (old.size() < atOnce) {
        return;
      }
    }
  }

  /** Whether a job that is here reads a file, or has read it. */
  boolean reads(Path file) {
    return host.jobs().stream().anyMatch(job -> job.input().equals(file))
        || ended.table().hasInput(file.toString());
  }
}
