package dev.fairlead.run;

import dev.fairlead.device.Device;
import dev.fairlead.device.Discovery.Problem;
import dev.fairlead.lease.PoolException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The opening of a device's context by its first use, in one generation of the device: one thread
 * opens it, all that want it wait for that, and none of them longer than the pool waits for a
 * device to open. A context that does not open is a refusal, which counts for the device's health
 * once; a probe of the device opens another one, in the next generation.
 */
final class FirstUse {
  /** What opens the contexts of a device. */
  interface Opener {
    Device device();

    /** How long a device may take to open. */
    Duration patience();

    /** Opens the context that a generation has been waiting for; any thread. */
    void openUnder(int generation);

    /** The device has refused a context that was wanted. */
    void refused(Throwable reason);

    /** The device as something that cannot be used, for people to read. */
    Problem problem(Throwable reason);
  }

  private final Opener opener;
  private final int generation;

  // Guarded by this.
  private @Nullable CompletableFuture<Void> opening;
  private @Nullable Throwable refusal;

  FirstUse(Opener opener, int generation) {
    this.opener = opener;
    this.generation = generation;
  }

  /**
   * Waits until the context is open, and begins to open it if no other thread has.
   *
   * @throws PoolException.NoContext if it does not open
   */
  void await() throws InterruptedException {
    long nanos = TimeUnit.NANOSECONDS.convert(opener.patience());
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
          .name("fairlead " + opener.device().label() + " opening")
          .start(() -> open(begun));
      opening = begun;
    }
    return opening;
  }

  private void open(CompletableFuture<Void> begun) {
    try {
      opener.openUnder(generation);
      begun.complete(null);
    } catch (RuntimeException | Error failure) {
      begun.completeExceptionally(failure);
    }
  }

  private PoolException.NoContext refused(Throwable reason) {
    String why = opener.problem(reason).reason();
    boolean first;
    synchronized (this) {
      first = refusal == null;
      refusal = first ? reason : refusal;
    }
    if (first) {
      opener.refused(reason);
    }
    return new PoolException.NoContext(opener.device(), why, reason);
  }
}
