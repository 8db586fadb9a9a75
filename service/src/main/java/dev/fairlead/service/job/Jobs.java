package dev.fairlead.service.job;

import dev.fairlead.media.job.HostEvent;
import dev.fairlead.media.job.HostException;
import dev.fairlead.media.job.JobState;
import dev.fairlead.media.job.JobStatus;
import dev.fairlead.media.job.Transcode;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.local.JobOrder;
import dev.fairlead.media.local.TranscodeHost;
import dev.fairlead.media.records.JobId;
import dev.fairlead.service.http.Problem;
import dev.fairlead.service.http.Status;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The jobs of a host with what the API shows of them. Thread-safe. */
public final class Jobs implements AutoCloseable {
  private final TranscodeHost host;
  private final Consumer<JobId> forgotten;
  private final ConcurrentMap<JobId, JobFacts> facts = new ConcurrentHashMap<>();
  private final HostEvent.Subscription subscription;

  /**
   * Jobs of a host.
   *
   * @param forgotten takes those of which nothing is to be kept any more
   */
  public Jobs(TranscodeHost host, Consumer<JobId> forgotten) {
    this.host = host;
    this.forgotten = forgotten;
    this.subscription =
        host.subscribe(
            1,
            new HostEvent.Listener() {
              @Override
              public void on(HostEvent event) {
                facts(event.job()).add(event.what(), Instant.now());
              }

              @Override
              public void reset(List<JobStatus> jobs, long next) {
                // What was missed is missing in the facts only; states are the host's.
              }
            });
  }

  /**
   * Takes a job.
   *
   * @throws Problem if the host refuses it
   */
  JobView submit(JobOrder order, String name) {
    facts.put(order.id(), new JobFacts(name));
    try {
      return view(host.submit(order).status());
    } catch (HostException.OutputTaken taken) {
      facts.remove(order.id());
      throw Problem.of(Status.CONFLICT, String.valueOf(taken.getMessage()));
    } catch (HostException.Closed closing) {
      facts.remove(order.id());
      throw Problem.of(Status.UNAVAILABLE, "The server is being stopped");
    }
  }

  private JobFacts facts(JobId id) {
    return facts.computeIfAbsent(id, _ -> new JobFacts(sourceName(host.job(id).status())));
  }

  private static String sourceName(JobStatus status) {
    Path file = status.input().getFileName();
    return file == null ? status.input().toString() : file.toString();
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

  /** A job as the API shows it, if it is there. */
  Optional<JobView> shown(JobId id) {
    try {
      return Optional.of(view(host.job(id).status()));
    } catch (HostException.UnknownJob none) {
      return Optional.empty();
    }
  }

  /** Newest first. */
  List<JobStatus> newestFirst() {
    return host.jobs().reversed();
  }

  /** For how long devices have worked on the jobs of each tenant. */
  public Map<String, Double> deviceSeconds() {
    return host.jobs().stream()
        .map(this::view)
        .collect(
            Collectors.groupingBy(
                JobView::tenant, Collectors.summingDouble(JobView::deviceSeconds)));
  }

  JobView view(JobStatus status) {
    return facts(status.id()).view(status, error(status));
  }

  private Optional<JobView.ErrorView> error(JobStatus status) {
    if (status.state() != JobState.FAILED) {
      return Optional.empty();
    }
    try {
      host.job(status.id()).await(); // ended: its failure is there
      return Optional.empty();
    } catch (TranscodeException failure) {
      return Optional.of(
          new JobView.ErrorView(ExitCodes.of(failure), String.valueOf(failure.getMessage())));
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } catch (HostException lost) {
      return Optional.of(
          new JobView.ErrorView(ExitCodes.STORAGE, String.valueOf(lost.getMessage())));
    } catch (RuntimeException mistake) {
      return Optional.of(new JobView.ErrorView(ExitCodes.OWN_ERROR, String.valueOf(mistake)));
    }
  }

  /** Forgets a job that is over. */
  void forget(Transcode job) {
    host.forget(job.id());
    facts.remove(job.id());
    forgotten.accept(job.id());
  }

  @Override
  public void close() {
    subscription.close();
  }
}
