package dev.fairlead.media.local;

import dev.fairlead.device.Bytes;
import dev.fairlead.media.host.CardPlaces;
import dev.fairlead.media.host.EventRing;
import dev.fairlead.media.job.HostEvent;
import dev.fairlead.media.job.HostException;
import dev.fairlead.media.job.JobFacts;
import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.job.JobState;
import dev.fairlead.media.job.JobStatus;
import dev.fairlead.media.job.Transcode;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.json.JobEntry;
import dev.fairlead.media.plan.HostMemory;
import dev.fairlead.media.prepare.EncoderTrials;
import dev.fairlead.media.records.JobEnd;
import dev.fairlead.media.records.JobId;
import dev.fairlead.policy.FairShares;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.policy.Tenant;
import dev.fairlead.units.UnitQueue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * Runs the transcodes of a process on one pool: one unit queue, one bound on memory and one memory
 * of what encoders promise for all of them, and a worker process for each that runs. Thread-safe.
 *
 * <p>Jobs that are submitted wait for their turn. A host that is closed parks them: the same
 * requests go on from there, and so does the next host that has the same records.
 */
public final class TranscodeHost implements AutoCloseable {
  private static final int KEPT_EVENTS = 10_000;

  private final JobOptions options;
  private final EncoderTrials trials;
  private final UnitQueue queue;
  private final Turns turns;
  private final EventRing events = new EventRing(KEPT_EVENTS, this::jobs);
  private final Optional<HostRecords> records;
  private final HostDiary diary;
  private final JobShelf jobs = new JobShelf();
  private final ConcurrentMap<String, Tenant> weighed = new ConcurrentHashMap<>();
  private final boolean closesItself;
  private boolean closed; // guarded by this

  /**
   * What a host asks of the machine.
   *
   * @param freeBytes how much is left where a job writes
   * @param nanos the time
   */
  record Machine(ToLongFunction<Path> freeBytes, LongSupplier nanos) {
    static final Machine HERE = new Machine(TranscodeHost::freeBytes, System::nanoTime);
  }

  TranscodeHost(
      JobOptions options,
      HostLimits limits,
      EncoderTrials trials,
      Machine machine,
      Consumer<JobStatus> ended,
      boolean closesItself) {
    this.options = options;
    this.closesItself = closesItself;
    this.trials = trials;
    this.records = limits.records().map(directory -> HostRecords.open(directory, machine.nanos));
    this.queue =
        UnitQueue.open(
            options.pool(),
            ServicePolicies.fair(options.fleet().service()),
            records.map(HostRecords::shares).orElse(FairShares.NONE));
    this.diary = new HostDiary(records, events, queue::shares, ended);
    this.turns =
        new Turns(
            limits,
            options.memoryBytes(),
            new Turns.Gauges(
                machine.freeBytes,
                queue::shares,
                running -> CardPlaces.of(options.fleet(), queue.sessions()).allow(running),
                machine.nanos));
  }

  /**
   * A host for one job, which closes when that is over.
   *
   * @throws HostException.TooMuchMemory if the options say more than the machine has
   */
  static Transcode submitAlone(JobOrder order, EncoderTrials trials) {
    requireThere(order.options());
    HostLimits one = HostLimits.usual(order.options().pool()).withJobs(1).withMinFreeBytes(0);
    return new TranscodeHost(order.options(), one, trials, Machine.HERE, _ -> {}, true)
        .submit(order);
  }

  /**
   * A host on the devices of the options' pool, which stays the caller's; what the options say of
   * memory is for all jobs together. With records it goes on with all jobs that have no end there,
   * as the options are now.
   *
   * @throws HostException.TooMuchMemory if the options say more than the machine has
   * @throws HostException.RecordsTaken if another host has the records
   * @throws HostException.NewerRecords if a newer version has written them
   */
  public static TranscodeHost open(JobOptions options, HostLimits limits) {
    return open(options, limits, _ -> {});
  }

  /**
   * The same.
   *
   * @param ended told of each job that is over, on the thread of the job: when its end is on
   *     record, and before anyone else is; it is not to throw
   */
  public static TranscodeHost open(
      JobOptions options, HostLimits limits, Consumer<JobStatus> ended) {
    requireThere(options);
    TranscodeHost host =
        new TranscodeHost(options, limits, new EncoderTrials(), Machine.HERE, ended, false);
    boolean opened = false;
    try {
      host.takeUp();
      opened = true;
      return host;
    } finally {
      if (!opened) {
        host.close();
      }
    }
  }

  private static void requireThere(JobOptions options) {
    long there = HostMemory.here().bytes();
    if (options.memoryBytes() > there) {
      throw new HostException.TooMuchMemory(Bytes.of(options.memoryBytes()), Bytes.of(there));
    }
  }

  /** Goes on with what an earlier host has left. */
  private synchronized void takeUp() {
    records.ifPresent(store -> store.left().forEach(left -> takeUp(store, left)));
  }

  private void takeUp(HostRecords store, HostRecords.Left left) {
    switch (left) {
      case HostRecords.Left.Unreadable lost -> lose(store, lost.id(), lost.why());
      case HostRecords.Left.ToDo todo when todo.job().job().toSink() -> {
        String why = "its packets went to a program that has ended; submit it again";
        store.end(todo.id(), new JobEnd.Failed(why));
        lose(store, todo.id(), why);
      }
      case HostRecords.Left.ToDo todo -> begin(todo.job());
    }
  }

  private HostedJob begin(JobReplay job) {
    JobEntry.Submitted its = job.job();
    return begin(
        new JobOrder(
            job.id(),
            its.request(),
            options.withStrict(its.strict()),
            its.tenant(),
            its.priority(),
            its.notes(),
            TranscodeListener.none()),
        job.facts().withoutEnd(),
        job.paused());
  }

  private void lose(HostRecords store, JobId id, String why) {
    jobs.add(EndedJob.lost(id, store.log(id), why));
    events.add(id, new HostEvent.What.Changed(JobState.FAILED, why));
  }

  /** What is left where a path is, or will be. */
  static long freeBytes(Path path) {
    Path there = path.toAbsolutePath();
    while (there != null && !Files.exists(there)) {
      there = there.getParent();
    }
    if (there == null) {
      return Long.MAX_VALUE;
    }
    // Each job that waits asks this again and again; a FileStore would read all mounts for it.
    long free = there.toFile().getUsableSpace();
    return free > 0 || Files.exists(there) ? free : Long.MAX_VALUE;
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
    jobs.requireFree(order.request().output());
    if (jobs.find(order.id()).isPresent()) {
      throw new IllegalArgumentException("Job %s is here already".formatted(order.id()));
    }
    records.ifPresent(store ->
        store.submitted(
            order.id(),
            new JobEntry.Submitted(
                order.request(),
                order.tenant(),
                order.priority(),
                order.options().result().strict(),
                order.options().result().sink().isPresent(),
                order.notes())));
    return begin(order, JobFacts.NONE, false);
  }

  /**
   * Has a job that has failed or was cancelled begin again, under the same id, with what of it is
   * there.
   *
   * @throws HostException.UnknownJob if there is none on record
   * @throws HostException.WrongState if it is not over, or done
   * @throws HostException.OutputTaken if another one that is not over writes there
   * @throws HostException.Closed if the host is closed
   */
  public synchronized Transcode retry(JobId id) {
    if (closed) {
      throw new HostException.Closed();
    }
    JobState state = job(id).status().state();
    if (state != JobState.FAILED && state != JobState.CANCELLED) {
      throw new HostException.WrongState(id, state, "be retried");
    }
    HostRecords store = records.orElseThrow(() -> new HostException.UnknownJob(id));
    JobReplay job = store.replay(id).orElseThrow(() -> new HostException.UnknownJob(id));
    jobs.requireFree(job.job().request().output());
    store.reopen(id);
    return begin(job);
  }

  private HostedJob begin(JobOrder order, JobFacts before, boolean paused) {
    HostedJob job = new HostedJob(order, before, this);
    jobs.add(job);
    job.begin(paused);
    return job;
  }

  /** Gives a tenant another weight: for its jobs that are here, at once, and for those to come. */
  public void weigh(Tenant tenant) {
    weighed.put(tenant.name(), tenant);
    queue.weigh(tenant);
    turns.change();
  }

  /** A tenant with the weight that it was given here, or with its own. */
  Tenant asWeighed(Tenant tenant) {
    return weighed.getOrDefault(tenant.name(), tenant);
  }

  /** All jobs that are not over, and the last that are; the oldest first. */
  public List<JobStatus> jobs() {
    return jobs.all().stream().map(Transcode::status).toList();
  }

  /**
   * A job by its id.
   *
   * @throws HostException.UnknownJob if there is none
   */
  public Transcode job(JobId id) {
    return jobs.find(id)
        .or(() -> records.flatMap(store -> store.ended(id)).map(EndedJob::of))
        .orElseThrow(() -> new HostException.UnknownJob(id));
  }

  /** All jobs on record that are over, the oldest first. */
  public List<JobId> ended() {
    return records.map(HostRecords::ended).orElse(List.of());
  }

  /**
   * Forgets a job that is over, and deletes its log.
   *
   * @throws HostException.UnknownJob if there is none
   * @throws HostException.WrongState if it is not over
   */
  public void forget(JobId id) {
    JobState state = job(id).status().state();
    if (!state.isOver()) {
      throw new HostException.WrongState(id, state, "be forgotten");
    }
    records.ifPresent(store -> store.delete(id));
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

  HostDiary diary() {
    return diary;
  }

  EventRing events() {
    return events;
  }

  /** A job is over, or left; its end is told after this. */
  void left(HostedJob job) {
    if (records.isPresent() && job.status().state().isOver()) {
      jobs.retire(job);
    }
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
    jobs.hosted().forEach(how);
    boolean interrupted = false;
    for (HostedJob job : jobs.hosted()) {
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
    records.ifPresent(store -> store.close(queue.shares()));
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
