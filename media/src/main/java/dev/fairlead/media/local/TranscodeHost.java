package dev.fairlead.media.local;

import dev.fairlead.media.host.EventRing;
import dev.fairlead.media.job.HostEvent;
import dev.fairlead.media.job.HostException;
import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.job.JobState;
import dev.fairlead.media.job.JobStatus;
import dev.fairlead.media.job.Transcode;
import dev.fairlead.media.prepare.EncoderTrials;
import dev.fairlead.media.records.DirectoryRecords;
import dev.fairlead.media.records.JobEnd;
import dev.fairlead.media.records.JobId;
import dev.fairlead.media.records.JobLog;
import dev.fairlead.media.records.Records;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.units.UnitQueue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/**
 * Runs the transcodes of a process on one pool: one unit queue, one bound on memory and one memory
 * of what encoders promise for all of them, and a worker process for each that runs. Thread-safe.
 *
 * <p>Jobs that are submitted wait for their turn. A host that is closed parks them: the same
 * requests go on from there.
 */
public final class TranscodeHost implements AutoCloseable {
  private static final int KEPT_EVENTS = 10_000;

  private final JobOptions options;
  private final EncoderTrials trials;
  private final UnitQueue queue;
  private final Turns turns;
  private final EventRing events = new EventRing(KEPT_EVENTS, this::jobs);
  private final Optional<Records> records;
  private final ConcurrentSkipListMap<JobId, HostedJob> jobs = new ConcurrentSkipListMap<>();
  private final boolean closesItself;
  private boolean closed; // guarded by this

  TranscodeHost(
      JobOptions options,
      HostLimits limits,
      EncoderTrials trials,
      ToLongFunction<Path> freeBytes,
      boolean closesItself) {
    this.options = options;
    this.closesItself = closesItself;
    this.trials = trials;
    this.turns = new Turns(limits, options.memoryBytes(), freeBytes, System::nanoTime);
    this.records = limits.records().map(DirectoryRecords::open);
    this.queue = UnitQueue.open(options.pool(), ServicePolicies.fair(options.fleet().service()));
  }

  /** A host for one job, which closes when that is over. */
  static Transcode submitAlone(JobOrder order, EncoderTrials trials) {
    HostLimits one = HostLimits.usual(order.options().pool()).withJobs(1).withMinFreeBytes(0);
    return new TranscodeHost(order.options(), one, trials, TranscodeHost::freeBytes, true)
        .submit(order);
  }

  /**
   * A host on the devices of the options' pool, which stays the caller's; what the options say of
   * memory is for all jobs together.
   */
  public static TranscodeHost open(JobOptions options, HostLimits limits) {
    return new TranscodeHost(options, limits, new EncoderTrials(), TranscodeHost::freeBytes, false);
  }

  /** What is left where a path is, or will be. */
  static long freeBytes(Path path) {
    Path there = path.toAbsolutePath();
    while (there != null && !Files.exists(there)) {
      there = there.getParent();
    }
    try {
      return there == null ? Long.MAX_VALUE : Files.getFileStore(there).getUsableSpace();
    } catch (IOException unknown) {
      return Long.MAX_VALUE;
    }
  }

  /** Options for a job that are those of the host. */
  public JobOptions options() {
    return options;
  }

  /**
   * Takes a job; errors come out of {@link Transcode#await}.
   *
   * @throws HostException.OutputTaken if another one that is not over writes there
   * @throws HostException.Closed if the host is closed
   */
  public synchronized Transcode submit(JobOrder order) {
    if (closed) {
      throw new HostException.Closed();
    }
    Path output = real(order.request().output());
    for (HostedJob other : jobs.values()) {
      if (!other.status().state().isOver() && real(other.output()).equals(output)) {
        throw new HostException.OutputTaken(order.request().output(), other.id());
      }
    }
    if (jobs.containsKey(order.id())) {
      throw new IllegalArgumentException("Job %s is here already".formatted(order.id()));
    }
    HostedJob job = new HostedJob(order, this);
    records.ifPresent(store ->
        JobLog.begin(
            store,
            job.id(),
            "submitted %s %s".formatted(order.request().input(), order.request().output())));
    jobs.put(job.id(), job);
    job.begin();
    return job;
  }

  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException absent) {
      return path.toAbsolutePath().normalize();
    }
  }

  /** All jobs, the oldest first. */
  public List<JobStatus> jobs() {
    return jobs.values().stream().map(HostedJob::status).toList();
  }

  /**
   * A job by its id.
   *
   * @throws HostException.UnknownJob if there is none
   */
  public Transcode job(JobId id) {
    HostedJob job = jobs.get(id);
    if (job == null) {
      throw new HostException.UnknownJob(id);
    }
    return job;
  }

  /**
   * Forgets a job that is over.
   *
   * @throws HostException.UnknownJob if there is none
   * @throws HostException.WrongState if it is not over
   */
  public void forget(JobId id) {
    JobState state = job(id).status().state();
    if (!state.isOver()) {
      throw new HostException.WrongState(id, state, "be forgotten");
    }
    jobs.remove(id);
  }

  /**
   * Has a listener take all events from a number on; the first of all is 1. From 0 it begins with
   * how all jobs stand.
   */
  public HostEvent.Subscription subscribe(long from, HostEvent.Listener listener) {
    return events.subscribe(from, listener);
  }

  EncoderTrials trials() {
    return trials;
  }

  UnitQueue queue() {
    return queue;
  }

  Turns turns() {
    return turns;
  }

  EventRing events() {
    return events;
  }

  void changed(HostedJob job, JobState state, String reason) {
    events.add(job.id(), new HostEvent.What.Changed(state, reason));
    if (!state.isOver()) {
      records.ifPresent(store ->
          JobLog.of(store, job.id())
              .append("%s %s".formatted(state.name().toLowerCase(Locale.ROOT), reason).strip()));
    }
  }

  void ended(HostedJob job, JobEnd end) {
    records.ifPresent(store -> JobLog.of(store, job.id()).end(end));
  }

  /** A job is over, or left; its end is told after this. */
  void left() {
    if (closesItself) {
      queue.cancelAndClose();
      events.close();
    }
  }

  /** Parks all jobs at once, and waits until nothing of them is left in this process. */
  @Override
  public void close() {
    close(HostedJob::close);
  }

  /** Cancels all jobs, and waits until nothing of them is left in this process. */
  public void cancelAndClose() {
    close(HostedJob::cancel);
  }

  private void close(Consumer<HostedJob> how) {
    synchronized (this) {
      closed = true;
    }
    jobs.values().forEach(how);
    boolean interrupted = false;
    for (HostedJob job : jobs.values()) {
      while (true) {
        try {
          job.join();
          break;
        } catch (InterruptedException again) {
          interrupted = true;
        }
      }
    }
    queue.cancelAndClose();
    events.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
