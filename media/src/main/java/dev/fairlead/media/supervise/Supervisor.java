package dev.fairlead.media.supervise;

import dev.fairlead.media.store.UnitId;
import dev.fairlead.media.wire.Command;
import dev.fairlead.media.wire.Failure;
import dev.fairlead.media.wire.Report;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a worker process running for as long as a job needs one.
 *
 * <p>When a worker dies, a new one is started and decodes what is still needed; the {@link
 * Suspects} run alone in it. A unit or track that kills its worker three times on its own is given
 * up; a unit may go to other devices then, once to each. One that does not come back in time costs
 * its worker too, and is blamed alone; committed work is never lost.
 *
 * <p>No unit waits here: it would hold a device that others could use. What cannot run now is
 * {@link NotReady}, and is tried again after a change. Tracks hold no device, and wait.
 */
public final class Supervisor implements AutoCloseable {
  private static final int CRASHES_IN_ALL = 30;

  private final WorkerStart start;
  private final Restarts restarts;
  private final WorkerOwner owner;
  private final ReentrantLock lock = new ReentrantLock();
  private final Changes changes = new Changes(lock);
  private final Suspects suspects = new Suspects();
  private final DecoderClock decoder = new DecoderClock();

  // Guarded by the lock.
  private final Set<Long> ready = new HashSet<>();
  private @Nullable Worker worker;
  private @Nullable CompletableFuture<Void> starting;
  private boolean closed;
  private boolean cancelled;
  private boolean decoding;
  private int dying; // ends that are being reported: the owner is not closed meanwhile

  public Supervisor(WorkerStart start, Restarts restarts, WorkerOwner owner) {
    this.start = start;
    this.restarts = restarts;
    this.owner = owner;
  }

  /** Units that were in a worker when an earlier run of the job ended badly. */
  public void suspect(Set<UnitId> units) {
    suspects.add(units);
  }

  /** The worker of the moment; one that is started is not waited for by a job that is cancelled. */
  Worker worker() {
    return Optional.ofNullable(workerUnlessOver())
        .orElseThrow(() -> new IllegalStateException("The job is over"));
  }

  /** The same; null if the job is over, or is so before there is one. */
  private @Nullable Worker workerUnlessOver() {
    lock.lock();
    try {
      while (worker == null && !closed && !cancelled) {
        CompletableFuture<Void> its = starting == null ? start() : starting;
        while (!its.isDone() && !closed && !cancelled) {
          changes.awaitUninterruptibly();
        }
        if (its.isCompletedExceptionally()) {
          Throwable why = its.exceptionNow();
          throw new UncheckedIOException(
              "A worker process cannot be started: " + why.getMessage(), new IOException(why));
        }
      }
      return worker;
    } finally {
      lock.unlock();
    }
  }

  private CompletableFuture<Void> start() {
    CompletableFuture<Void> its = new CompletableFuture<>();
    starting = its;
    StartingWorker fresh = new StartingWorker(this::reported);
    Thread.ofVirtual().name("worker supervision").start(() -> fresh.start(start, this::started));
    return its;
  }

  /** A worker is there, or why it is not; whether it is wanted. */
  private boolean started(@Nullable Worker fresh, @Nullable Throwable failure) {
    lock.lock();
    try {
      CompletableFuture<Void> its = Objects.requireNonNull(starting);
      starting = null;
      boolean wanted = !closed && !cancelled;
      if (fresh != null && wanted) {
        worker = fresh;
        decode(fresh, decoding ? owner.toDecode() : null);
      }
      boolean _ = failure == null ? its.complete(null) : its.completeExceptionally(failure);
      changes.signal();
      return wanted;
    } finally {
      lock.unlock();
    }
  }

  /** Has the worker of the moment decode, and from now on every one that takes its place. */
  public void begin(Command.Decode decode) {
    locked(() -> {
      Worker holder = worker(); // one that starts now is not to be told twice
      decoding = true;
      decode(holder, decode);
    });
  }

  private void locked(Runnable step) {
    lock.lock();
    try {
      step.run();
    } finally {
      lock.unlock();
    }
  }

  private void decode(Worker holder, Command.@Nullable Decode what) {
    if (what != null) {
      decoder.begin();
      holder.send(what);
    }
  }

  /** Changes what decoding may use; a worker that is to come is told by its command to decode. */
  public void resize(Command.Resize size) {
    locked(() -> {
      if (worker != null && decoding) {
        worker.send(size);
      }
    });
  }

  /** Replaces the worker if its decoder has given no sign for longer than that. */
  public void watchDecoder(Duration patience) {
    Worker hung;
    boolean again;
    lock.lock();
    try {
      if (worker == null || !decoder.isOver(patience)) {
        return;
      }
      hung = worker;
      again = !decoder.hung();
      // No unit is to blame.
      suspects.blame(Set.of());
    } finally {
      lock.unlock();
    }
    String reason = "The decoder gave no sign of progress for " + patience.toSeconds() + " s";
    hung.kill();
    if (again) {
      died(hung, new Failure(Failure.Kind.CRASHED, reason));
    } else {
      Failure last = new Failure(Failure.Kind.UNREADABLE, reason + ", again and again");
      owner.reported(new Report.DecodeFailed(last));
    }
  }

  private void reported(Worker from, Report report) {
    lock.lock();
    try {
      if (!from.equals(worker)) {
        return;
      }
      decoder.reported(report);
      if (report instanceof Report.CardFailed failed) {
        restarts.failed(failed.card());
      }
      if (report instanceof Report.Ready chunk) {
        ready.add(chunk.chunk());
        changes.signal();
      }
    } finally {
      lock.unlock();
    }
    if (report instanceof Report.DecodeFailed failed
        && failed.failure().kind() == Failure.Kind.CRASHED) {
      died(from, failed.failure());
    } else {
      owner.reported(report);
    }
  }

  /** Reports that a worker is gone, once. */
  private void died(Worker which, Failure failure) {
    Set<UnitId> victims;
    lock.lock();
    try {
      if (closed || !which.equals(worker)) {
        return;
      }
      worker = null;
      dying++;
      decoder.stop();
      restarts.restarted(failure.reason());
      ready.clear();
      victims = suspects.died();
      changes.signal();
    } finally {
      lock.unlock();
    }
    try {
      which.close();
      owner.crashed(victims, failure.reason());
      String last = whyNoOther(failure.reason());
      if (last != null) {
        owner.reported(new Report.DecodeFailed(new Failure(Failure.Kind.WORK, last)));
      }
    } finally {
      locked(() -> {
        dying--;
        changes.signal();
      });
    }
  }

  /** Has another worker take the place of one that died; null unless there can be none. */
  private @Nullable String whyNoOther(String death) {
    if (restarts.restarts() > CRASHES_IN_ALL) {
      return death;
    }
    try {
      Worker _ = workerUnlessOver();
      return null;
    } catch (UncheckedIOException refused) {
      return refused.getMessage();
    }
  }

  /**
   * Runs what needs no chunk, on one worker after another if they die.
   *
   * @throws FailedException with {@link Failure.Kind#CRASHED} if none came through
   */
  public Report.Answer persist(LongFunction<Command> command, Duration patience)
      throws InterruptedException, TimeoutException {
    for (int tries = Suspects.CRASHES_ALONE; ; tries--) {
      Worker holder = worker();
      try {
        return holder.ask(command, patience);
      } catch (FailedException failed) {
        if (failed.failure().kind() != Failure.Kind.CRASHED) {
          throw failed;
        }
        died(holder, failed.failure());
        if (tries == 1) {
          throw failed;
        }
      }
    }
  }

  /** The worker of the moment does not come back; another one is started. */
  public void replace(String reason) {
    Worker hung = worker();
    hung.kill();
    died(hung, new Failure(Failure.Kind.CRASHED, reason));
  }

  /**
   * Runs a unit on a chunk.
   *
   * @throws NotReady if there is no worker that has the chunk, or that ends meanwhile
   */
  public Report.Answer run(UnitId unit, LongFunction<Command> command, Duration patience)
      throws InterruptedException {
    return ask(unit, enter(unit), command, patience);
  }

  /** Runs what makes a track, which needs no chunk, and is as good a suspect as a unit. */
  public Report.Answer runTrack(UnitId first, LongFunction<Command> command, Duration patience)
      throws InterruptedException {
    while (true) {
      try {
        return ask(first, enterTrack(first), command, patience);
      } catch (NotReady again) {
        // In the next worker.
      }
    }
  }

  private Report.Answer ask(
      UnitId unit, Worker holder, LongFunction<Command> command, Duration patience)
      throws InterruptedException {
    try {
      return holder.ask(command, patience);
    } catch (TimeoutException hung) {
      suspects.blame(Set.of(unit)); // no other that is in the worker
      holder.kill();
      String reason = unit + " gave no sign of progress for " + patience.toSeconds() + " s";
      throw new FailedException(new Failure(Failure.Kind.DEVICE, reason));
    } catch (FailedException failed) {
      if (failed.failure().kind() != Failure.Kind.CRASHED) {
        throw failed;
      }
      died(holder, failed.failure());
      suspects.requireInnocent(unit, failed.failure());
      throw new NotReady(failed.failure().reason(), changes.next());
    } finally {
      suspects.leave(unit);
      changes.signal();
    }
  }

  private Worker enter(UnitId unit) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      if (closed || cancelled) {
        throw new InterruptedException("The job is over");
      }
      if (worker == null || !ready.contains(unit.chunk())) {
        throw new NotReady(unit + " waits for its chunk", changes.next());
      }
      if (!suspects.enter(unit, false)) {
        throw new NotReady(unit + " waits for a suspect", changes.nextWithin(Suspects.CLAIM));
      }
      return worker;
    } finally {
      lock.unlock();
    }
  }

  private Worker enterTrack(UnitId first) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      Worker holder = worker();
      while (!suspects.enter(first, true)) {
        changes.await();
        holder = worker();
      }
      return holder;
    } finally {
      lock.unlock();
    }
  }

  /** The chunk is not needed any more. */
  public void release(long chunk) {
    locked(() -> {
      if (worker != null && ready.remove(chunk)) {
        worker.send(new Command.Release(chunk));
      }
    });
  }

  /** Ends the worker, and starts no other: what waits ends at once. It is still to be closed. */
  public void cancel() {
    Worker last;
    lock.lock();
    try {
      cancelled = true;
      last = worker;
      changes.signal();
    } finally {
      lock.unlock();
    }
    if (last != null) {
      last.kill();
    }
  }

  @Override
  public void close() {
    Worker last;
    lock.lock();
    try {
      closed = true;
      last = worker;
      worker = null;
      changes.signal();
      // One that is being started for a job that was cancelled is closed when it is there.
      while (dying > 0 || (starting != null && !cancelled)) {
        changes.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
    if (last != null) {
      last.close();
    }
  }
}
