package dev.fairlead.pool;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The opening of a device's context by those who use it first, in one generation of the device: one
 * thread opens it, all who want it wait for that, and none of them longer than the pool waits for a
 * device to open. A context that does not open is a refusal, of which the device's health hears
 * once; a probe of the device opens another one, in the next generation.
 */
final class FirstUse {
  private final DeviceRuntime runtime;
  private final int generation;

  // Guarded by this.
  private @Nullable CompletableFuture<Void> opening;
  private @Nullable Throwable refusal;

  FirstUse(DeviceRuntime runtime, int generation) {
    this.runtime = runtime;
    this.generation = generation;
  }

  /**
   * Waits until the context is open, and begins to open it if nobody has.
   *
   * @throws PoolException.NoContext if it does not open
   */
  void await() throws InterruptedException {
    long nanos = Timing.nanos(runtime.pool().options().timing().opening());
    try {
      opening().get(nanos, TimeUnit.NANOSECONDS);
    } catch (ExecutionException failure) {
      throw refused(failure.getCause() == null ? failure : failure.getCause());
    } catch (TimeoutException late) {
      throw refused(late);
    }
  }

  private synchronized CompletableFuture<Void> opening() {
    if (refusal != null) {
      return CompletableFuture.failedFuture(refusal);
    }
    if (opening == null) {
      CompletableFuture<Void> begun = new CompletableFuture<>();
      // A thread of its own: a driver that does not come back keeps none of the device's.
      Thread.ofPlatform()
          .daemon()
          .name("fairlead " + runtime.device().label() + " opening")
          .start(() -> open(begun));
      opening = begun;
    }
    return opening;
  }

  private void open(CompletableFuture<Void> begun) {
    try {
      runtime.contexts().openUnder(generation);
      begun.complete(null);
    } catch (RuntimeException | Error failure) {
      begun.completeExceptionally(failure);
    }
  }

  private PoolException.NoContext refused(Throwable reason) {
    String why = runtime.contexts().problem(reason).reason();
    boolean first;
    synchronized (this) {
      first = refusal == null;
      refusal = first ? reason : refusal;
    }
    if (first) {
      runtime.contexts().refused(reason);
    }
    return new PoolException.NoContext(runtime.device(), why, reason);
  }
}
