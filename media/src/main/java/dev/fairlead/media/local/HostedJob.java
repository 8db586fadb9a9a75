package dev.fairlead.media.local;

import dev.fairlead.device.Device;
import dev.fairlead.media.host.MemoryBook;
import dev.fairlead.media.host.Seat;
import dev.fairlead.media.job.HostEvent;
import dev.fairlead.media.job.HostException;
import dev.fairlead.media.job.JobFacts;
import dev.fairlead.media.job.JobState;
import dev.fairlead.media.job.JobStatus;
import dev.fairlead.media.job.Transcode;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.job.TranscodeResult;
import dev.fairlead.media.json.JobEntry;
import dev.fairlead.media.plan.Pumps;
import dev.fairlead.media.plan.TranscodePlan;
import dev.fairlead.media.prepare.Admission;
import dev.fairlead.media.progress.Parked;
import dev.fairlead.media.records.JobEnd;
import dev.fairlead.media.records.JobId;
import dev.fairlead.policy.Priority;
import dev.fairlead.policy.Tenant;
import dev.fairlead.units.Party;
import dev.fairlead.units.PartyOptions;
import dev.fairlead.units.ServiceOptions;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A job of a host, on a thread of its own from its order to its end. Thread-safe. */
final class HostedJob implements Transcode, Seat, Turns.Job {
  private final JobOrder order;
  private final TranscodeHost host;
  private final QueuedListener listener;
  private final TranscodeJob run;
  private final Thread thread;
  private final JobResult result = new JobResult();
  private final GatheredFacts facts;

  private volatile Priority priority;
  private volatile Optional<TranscodeListener.Event.Progress> progress = Optional.empty();
  private volatile MemoryBook.Need need = MemoryBook.INSPECTING;
  private volatile Share share = new Share(0, 0, 1, false);
  private volatile boolean lacksDisk;
  private volatile boolean parking;
  private volatile @Nullable Party party;

  // Guarded by this.
  private JobState state = JobState.QUEUED;
  private String reason = "";
  private boolean paused;
  private boolean cancelled;
  private boolean closed;

  /**
   * A job of a host.
   *
   * @param before what earlier hosts know of it
   */
  HostedJob(JobOrder order, JobFacts before, TranscodeHost host) {
    this.order = order;
    this.facts = new GatheredFacts(before);
    this.host = host;
    this.priority = order.priority();
    this.listener = new QueuedListener(name(), order.listener());
    this.run =
        new TranscodeJob(order.request(), order.options(), host.trials(), this, this::reported);
    this.thread = Thread.ofVirtual().name("transcode " + name()).unstarted(this::work);
  }

  private String name() {
    return String.valueOf(order.request().input().getFileName());
  }

  /**
   * Waits for its turn from now on.
   *
   * @param stopped whether its owner has to have it go on first
   */
  void begin(boolean stopped) {
    synchronized (this) {
      paused = stopped;
    }
    change(JobState.QUEUED, "");
    thread.start();
  }

  @Override
  public JobId id() {
    return order.id();
  }

  @Override
  public Path output() {
    return order.request().output();
  }

  @Override
  public Tenant tenant() {
    return host.asWeighed(order.tenant());
  }

  @Override
  public Priority priority() {
    return priority;
  }

  @Override
  public MemoryBook.Need need() {
    return need;
  }

  void need(MemoryBook.Need known) {
    need = known;
  }

  @Override
  public boolean lacksDisk() {
    return lacksDisk;
  }

  @Override
  public boolean isParking() {
    return parking;
  }

  @Override
  public synchronized boolean isWanted() {
    return !cancelled && !closed && !paused;
  }

  @Override
  public synchronized JobStatus status() {
    return order.status(state, reason, priority, progress, facts.all());
  }

  private void reported(TranscodeListener.Event event) {
    if (event instanceof TranscodeListener.Event.Progress now) {
      progress = Optional.of(now);
    }
    facts.add(event);
    host.events().add(id(), new HostEvent.What.Reported(event));
    listener.on(event);
  }

  private void change(JobState now, String why) {
    synchronized (this) {
      state = now;
      reason = why;
    }
    host.diary().changed(this, now, why);
  }

  @Override
  public void waits(String why) {
    JobStatus now = status();
    if (!now.reason().equals(why)) {
      change(now.state(), why);
    }
  }

  private void work() {
    try {
      while (awaitTurn()) {
        lacksDisk = false;
        facts.runs(Instant.now());
        change(JobState.RUNNING, "");
        try {
          TranscodeResult made = run.run();
          end(JobState.DONE, new JobEnd.Done(), "");
          leave();
          result.made(made);
          return;
        } catch (Parked parked) {
          boolean byOwner = isPaused();
          boolean begun = progress.isPresent();
          if (!byOwner) {
            change(begun ? JobState.PARKED : JobState.QUEUED, String.valueOf(parked.getMessage()));
          }
        } finally {
          party = null;
          host.turns().leave(this);
          parking = false; // only now: it is not to be parked while it leaves
        }
      }
      stopped();
    } catch (TranscodeException.Cancelled ended) {
      stopped();
    } catch (Throwable failure) {
      facts.failed(failure);
      String why = String.valueOf(failure.getMessage());
      end(JobState.FAILED, new JobEnd.Failed(why), why);
      leave();
      result.failed(failure);
    }
  }

  /** Cancelled, or left by a host that is closed. */
  private void stopped() {
    boolean left;
    synchronized (this) {
      left = closed && !cancelled;
    }
    if (left) {
      change(JobState.PARKED, "the host is closed");
    } else {
      end(JobState.CANCELLED, new JobEnd.Cancelled("by its owner"), "");
    }
    leave();
    result.failed(new TranscodeException.Cancelled());
  }

  private void end(JobState how, JobEnd entry, String why) {
    facts.ended(Instant.now());
    host.diary().ended(this, entry, status().ended(how, why));
    change(how, why);
  }

  /** Lets go of its place and of its listener; after this its end is told. */
  private void leave() {
    host.turns().leave(this);
    listener.close();
    host.left(this);
  }

  private synchronized boolean isPaused() {
    return paused;
  }

  /** Waits until it may run; false if it is not to any more. */
  private boolean awaitTurn() {
    while (isGoingOn()) {
      try {
        if (isPaused()) {
          change(JobState.PAUSED, "by its owner");
          awaitResume();
          change(JobState.QUEUED, "");
        } else if (host.turns().await(this)) {
          return true;
        }
      } catch (InterruptedException late) {
        // It was meant for a run that is over.
      }
    }
    return false;
  }

  private synchronized void awaitResume() throws InterruptedException {
    while (paused && isGoingOn()) {
      wait();
    }
  }

  private synchronized boolean isGoingOn() {
    return !cancelled && !closed;
  }

  @Override
  public void park(String why, boolean withSound) {
    parking = true;
    run.park(why, withSound);
  }

  @Override
  public TranscodeResult await() throws InterruptedException {
    return result.await();
  }

  @Override
  public void cancel() {
    synchronized (this) {
      if (state.isOver()) {
        return;
      }
      cancelled = true;
      notifyAll();
    }
    run.cancel();
    host.turns().change();
  }

  /** Its host is closed; the same request goes on from here. */
  void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    run.cancel();
    host.turns().change();
  }

  /** Waits until its thread has ended. */
  void join() throws InterruptedException {
    thread.join();
  }

  @Override
  public void pause() {
    requireGoingOn("be paused");
    host.diary().record(this, new JobEntry.Paused());
    synchronized (this) {
      paused = true;
    }
    if (host.turns().isRunning(this)) {
      park("paused by its owner", false);
    }
    host.turns().change();
  }

  @Override
  public void resume() {
    requireGoingOn("go on");
    host.diary().record(this, new JobEntry.Resumed());
    synchronized (this) {
      paused = false;
      notifyAll();
    }
    host.turns().change();
  }

  private synchronized void requireGoingOn(String what) {
    if (state.isOver()) {
      throw new HostException.WrongState(id(), state, what);
    }
  }

  @Override
  public void priority(Priority value) {
    host.diary().record(this, new JobEntry.Urgency(value));
    priority = value;
    Party joined = party;
    if (joined != null) {
      joined.priority(value);
    }
    host.turns().change();
  }

  @Override
  public Party join(int groups, ServiceOptions options) {
    Party joined =
        host.queue()
            .join(
                PartyOptions.of(id().value(), groups)
                    .withTenant(tenant())
                    .withPriority(priority)
                    .withSince(id().time())
                    .withService(options));
    party = joined;
    return joined;
  }

  @Override
  public Share share(TranscodePlan plan, List<Device> devices) throws InterruptedException {
    Pumps pumps = order.options().decoding().pumps();
    return host.turns()
        .share(
            this,
            MemoryBook.Need.of(plan, devices),
            Admission.most(plan, devices, order.options().pumps(pumps.most())),
            pumps.most());
  }

  @Override
  public Share share() {
    return share;
  }

  @Override
  public void share(Share now) {
    if (!now.equals(share)) {
      share = now;
      run.resize();
    }
  }

  @Override
  public void within(long number) {
    host.turns().within(this, number);
  }

  @Override
  public void decoded() {
    host.turns().decoded(this);
  }

  @Override
  public void look() {
    host.diary().look(this);
    if (!parking && host.turns().isDiskLow(this)) {
      lacksDisk = true;
      park("too little is left free on the disk of " + output(), false);
    }
  }
}
