package dev.fairlead.run;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceContext;
import dev.fairlead.device.DeviceException;
import dev.fairlead.device.DeviceProvider;
import dev.fairlead.device.Discovery.Problem;
import dev.fairlead.device.Fault;
import dev.fairlead.device.Timespan;
import dev.fairlead.event.PoolListener;
import dev.fairlead.lease.PoolException;
import dev.fairlead.policy.Demand;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The contexts of a device, one after another, each under a generation of its own: opened with the
 * pool or by their first use, left when a fault has poisoned them, closed with the device.
 */
public final class Contexts implements FirstUse.Opener {
  private static final String NO_ROOM = "it has no room for a context";

  private final DeviceRuntime runtime;
  private final @Nullable DeviceProvider provider;
  private volatile OpenContext open;
  private volatile boolean abandoned;

  /** Whether a context is to be open; one that waits for its first use is not, until then. */
  private volatile boolean wanted = true;

  Contexts(DeviceRuntime runtime, @Nullable DeviceProvider provider) {
    this.runtime = runtime;
    this.provider = provider;
    this.open = without(0);
  }

  /** The context of the day, to be asked for its load, or bound by a caller. */
  public OpenContext open() {
    return open;
  }

  @Override
  public Device device() {
    return runtime.device();
  }

  @Override
  public Duration patience() {
    return runtime.owner().opening();
  }

  /**
   * Begins to open the context on the device's own thread, or to put there what stands for it until
   * its first use; fails with the backend's exception.
   */
  public CompletableFuture<Void> begin() {
    if (provider == null) {
      return CompletableFuture.completedFuture(null);
    }
    wanted = !runtime.owner().contextsOnUse();
    return CompletableFuture.runAsync(
        () -> open = fresh(provider, 0), runtime.deviceThread(0)::post);
  }

  private OpenContext fresh(DeviceProvider backend, int generation) {
    Optional<DeviceContext.Unopened> standIn =
        wanted ? Optional.empty() : backend.unopened(device());
    return standIn.isPresent()
        ? OpenContext.unopened(standIn.get(), generation, new FirstUse(this, generation))
        : OpenContext.of(backend.open(device()), generation);
  }

  /**
   * Waits for the context. A device that has no room for one now is not given up: it is in
   * quarantine, and the probe that ends it opens the context.
   *
   * @return why there is none yet; empty if there is one
   * @throws CompletionException with the backend's exception, or a TimeoutException
   */
  public Optional<Throwable> await(CompletableFuture<Void> opening, long nanos) {
    try {
      opening.orTimeout(nanos, TimeUnit.NANOSECONDS).join();
      return Optional.empty();
    } catch (CompletionException failure) {
      Throwable reason = failure.getCause();
      if (reason == null || !Fault.of(reason).isLackOfRoom()) {
        throw failure;
      }
      runtime.ledger().change(serving -> serving.breaker().refused(NO_ROOM, runtime.now()));
      return Optional.of(reason);
    }
  }

  /** What stands for a context that has not been opened; devices without a backend need none. */
  private OpenContext without(int generation) {
    return provider == null
        ? OpenContext.of(DeviceContext.none(), generation)
        : OpenContext.absent(generation);
  }

  // ---- first use

  /**
   * Waits until the context is open, where it is opened by its first use and the demand uses it.
   *
   * @throws PoolException.NoContext if it does not open
   */
  public void openFor(Demand demand) throws InterruptedException {
    FirstUse first = open.firstUse();
    if (first != null && demand.usesContext()) {
      wanted = true;
      first.await();
    }
  }

  @Override
  public void openUnder(int generation) {
    install(fresh(Objects.requireNonNull(provider), generation), generation);
  }

  /** The device is in quarantine afterwards, or lost. */
  @Override
  public void refused(Throwable reason) {
    Fault fault = Fault.of(reason);
    String why =
        fault.isLackOfRoom() ? NO_ROOM : "its context did not open: " + problem(reason).reason();
    runtime
        .ledger()
        .change(serving -> {
          if (fault == Fault.LOST) {
            serving.breaker().failed(fault, runtime.now());
          } else {
            serving.breaker().refused(why, runtime.now());
          }
        });
    trouble("opening", reason);
    runtime.owner().attend(runtime);
  }

  // ---- generations

  /** Opens another context under a new generation; runs on the device's own thread. */
  public void rebuild(Duration patience) {
    // From here on leases of the old generation begin nothing, so that what is inside comes out.
    int generation = runtime.ledger().nextGeneration();
    if (provider != null) {
      OpenContext old = open;
      // After a poisoning fault the old context may well refuse; that must not stop the new one.
      troubled("closing a poisoned context", () -> leave(old, patience));
      // A driver may have taken so long to close it that another probe has opened the next one.
      if (!replace(without(generation), generation)) {
        throw givenUp();
      }
      install(fresh(provider, generation), generation);
    } else {
      open = without(generation);
    }
    runtime.owner().events().tell(new PoolListener.Event.Rebuilt(device(), generation));
  }

  /** Puts a context to use, unless it took so long to open that it is too late for it. */
  private void install(OpenContext fresh, int generation) {
    if (!replace(fresh, generation)) {
      fresh.context().close();
      throw givenUp();
    }
  }

  /** Nothing is put to use in a generation that is over, nor on a device that has left. */
  private synchronized boolean replace(OpenContext next, int generation) {
    boolean current = generation == runtime.ledger().generation() && !runtime.isClosed();
    if (current) {
      open = next;
      abandoned = false;
    }
    return current;
  }

  private static IllegalStateException givenUp() {
    return new IllegalStateException("The context was given up before it had opened");
  }

  /** Work hangs in the context, which is left alone for ever: the work may still be using it. */
  void abandon() {
    abandoned = true;
  }

  /**
   * Gives up the context that a probe hangs in; it is closed when the probe comes out. If hung work
   * is in there as well, that is never.
   *
   * @return what is to be closed at once, since the probe has come out meanwhile
   */
  @Nullable OpenContext abandonTo(Probe probe) {
    OpenContext left;
    boolean others;
    synchronized (this) {
      left = open;
      others = abandoned;
      open = without(runtime.ledger().nextGeneration());
      abandoned = true;
    }
    return !others && probe.leave(left) ? left : null;
  }

  /**
   * Closes a context that a probe was left in, on a thread of the device, unless the probe was left
   * closing it.
   */
  public void closeLate(@Nullable OpenContext left) {
    if (left != null && !left.isAbsent() && !left.isShut()) {
      troubled(
          "closing the context of a probe that was given up",
          () -> {
            if (!left.shutOut(runtime.owner().grace())) {
              throw stillInUse();
            }
            left.context().close();
          });
    }
  }

  /**
   * Closes a context, unless something is inside that does not come out: then it stays for ever.
   */
  private void leave(OpenContext old, Duration patience) {
    long begun = System.nanoTime();
    long nanos = TimeUnit.NANOSECONDS.convert(patience);
    while (runtime.ledger().isWorking() && System.nanoTime() - begun < nanos) {
      LockSupport.parkNanos(this, 500_000);
    }
    if (abandoned) {
      return;
    }
    long left = nanos - (System.nanoTime() - begun);
    if (runtime.ledger().isWorking() || !old.shutOut(Duration.ofNanos(left))) {
      throw stillInUse();
    }
    old.context().close();
  }

  // ---- the end

  /** Closes the context on the device's own thread; the device lets no other one be installed. */
  void close(Duration patience, long nanos) {
    if (provider != null) {
      troubled(
          "closing the context",
          () -> leaveOnLane(patience).orTimeout(nanos, TimeUnit.NANOSECONDS).join());
    }
  }

  /**
   * Closes the context when the device's thread comes to it, though no caller may wait any more.
   */
  private CompletableFuture<Void> leaveOnLane(Duration patience) {
    CompletableFuture<Void> left = new CompletableFuture<>();
    boolean posted =
        runtime
            .deviceThread(0)
            .post(() -> {
              try {
                leave(last(), patience);
                left.complete(null);
              } catch (RuntimeException | Error failure) {
                left.completeExceptionally(failure);
              }
            });
    if (!posted) {
      left.complete(null);
    }
    return left;
  }

  /**
   * The context of a closed device: a thread that installs one either was before this or sees that.
   */
  private synchronized OpenContext last() {
    return open;
  }

  // ---- words

  @Override
  public Problem problem(Throwable reason) {
    if (reason instanceof TimeoutException) {
      return new Problem(device().label(), "did not open within " + Timespan.of(patience()));
    }
    boolean spoken = reason instanceof DeviceException && reason.getMessage() != null;
    return new Problem(
        device().label(), spoken ? String.valueOf(reason.getMessage()) : reason.toString());
  }

  private static IllegalStateException stillInUse() {
    return new IllegalStateException("It is still in use, and is left open");
  }

  private void troubled(String what, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error failure) {
      Throwable cause = failure.getCause();
      Throwable reason = failure instanceof CompletionException && cause != null ? cause : failure;
      trouble(what, reason instanceof TimeoutException ? stillInUse() : reason);
    }
  }

  private void trouble(String what, Throwable reason) {
    runtime.owner().events().tell(new PoolListener.Event.Trouble(device(), what, reason));
  }
}
