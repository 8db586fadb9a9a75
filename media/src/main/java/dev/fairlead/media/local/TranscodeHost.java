package dev.fairlead.media.local;

import dev.fairlead.device.Bytes;
import dev.fairlead.media.host.CardPlaces;
import dev.fairlead.media.host.EventRing;
import dev.fairlead.media.job.HostEvent;
import dev.fairlead.media.job.HostException;
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
import dev.fairlead.media.records.Records;
import dev.fairlead.media.store.FileTrouble;
import dev.fairlead.policy.FairShares;
import dev.fairlead.policy.ServicePolicies;
import dev.fairlead.policy.Tenant;
import dev.fairlead.units.UnitQueue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
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
  private final ConcurrentSkipListMap<JobId, Transcode> jobs = new ConcurrentSkipListMap<>();
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
    return new TranscodeHost(order.options(), one, trials, Machine.HERE, true).submit(order);
  }

  /**
   * A host on the devices of the options' pool, which stays the caller's; what the options say of
   * memory is for all jobs together. With records it goes on with all jobs that have no end there,
   * as the options are now.
   *
   * @throws HostException.TooMuchMemory if the options say more than the machine has
   * @throws HostException.RecordsTaken if another host has the records
   */
  public static TranscodeHost open(JobOptions options, HostLimits limits) {
    requireThere(options);
    TranscodeHost host =
        new TranscodeHost(options, limits, new EncoderTrials(), Machine.HERE, false);
    host.takeUp();
    return host;
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
      case HostRecords.Left.ToDo todo when todo.job().toSink() -> {
        String why = "its packets went to a program that has ended; submit it again";
        store.end(todo.id(), new JobEnd.Failed(why));
        lose(store, todo.id(), why);
      }
      case HostRecords.Left.ToDo todo ->
          begin(
              new JobOrder(
                  todo.id(),
                  todo.job().request(),
                  options.withStrict(todo.job().strict()),
                  todo.job().tenant(),
                  todo.job().priority(),
                  TranscodeListener.none()),
              todo.paused());
    }
  }

  private void lose(HostRecords store, JobId id, String why) {
    LostJob lost = new LostJob(id, store.log(id), why);
    jobs.put(id, lost);
    events.add(id, new HostEvent.What.Changed(JobState.FAILED, why));
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
    for (HostedJob other : hosted()) {
      if (!other.status().state().isOver() && real(other.output()).equals(output)) {
        throw new HostException.OutputTaken(order.request().output(), other.id());
      }
    }
    if (jobs.containsKey(order.id())) {
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
                order.options().result().sink().isPresent())));
    return begin(order, false);
  }

  private HostedJob begin(JobOrder order, boolean paused) {
    HostedJob job = new HostedJob(order, this);
    jobs.put(job.id(), job);
    job.begin(paused);
    return job;
  }

  private List<HostedJob> hosted() {
    return jobs.values().stream()
        .filter(HostedJob.class::isInstance)
        .map(HostedJob.class::cast)
        .toList();
  }

  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException absent) {
      return path.toAbsolutePath().normalize();
    }
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

  /** All jobs, the oldest first. */
  public List<JobStatus> jobs() {
    return jobs.values().stream().map(Transcode::status).toList();
  }

  /**
   * A job by its id.
   *
   * @throws HostException.UnknownJob if there is none
   */
  public Transcode job(JobId id) {
    Transcode job = jobs.get(id);
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
      note(job, store -> store.add(job.id(), new JobEntry.Changed(state, reason)));
    }
    if (state.isOver() || state == JobState.PARKED) {
      note(job, store -> store.keep(queue.shares()));
    }
  }

  void ended(HostedJob job, JobEnd end) {
    note(job, store -> store.end(job.id(), end));
  }

  /** Records what the owner of a job wants; after this it holds for the next host as well. */
  void record(HostedJob job, JobEntry entry) {
    records.ifPresent(store -> store.add(job.id(), entry));
  }

  /** Keeps what tenants have had, now and then. */
  void look(HostedJob job) {
    note(job, store -> store.keepNowAndThen(queue::shares));
  }

  /** Records something; a job goes on without that, too. */
  private void note(HostedJob job, Consumer<HostRecords> what) {
    try {
      records.ifPresent(what);
    } catch (UncheckedIOException failure) {
      lacksRecord(job, FileTrouble.words(failure));
    } catch (Records.Gone failure) {
      lacksRecord(job, String.valueOf(failure.getMessage()));
    }
  }

  private void lacksRecord(HostedJob job, String why) {
    String notice = "Its record cannot be written: " + why;
    events.add(
        job.id(), new HostEvent.What.Reported(new TranscodeListener.Event.Noticed(0, notice)));
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
    hosted().forEach(how);
    boolean interrupted = false;
    for (HostedJob job : hosted()) {
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
