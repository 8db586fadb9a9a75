package dev.fairlead.dispatch;

import dev.fairlead.outcome.Completion;
import dev.fairlead.outcome.Outcome;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/**
 * Work that was submitted and ends some time later, once, with an {@link Outcome}: waited for by
 * {@link #await}, or as a {@link #future}.
 */
public abstract sealed class Task<R> extends Completion<R> permits PlacedTask {
  Task() {}

  /** Cancels the task: it does not start any more, or is interrupted. False if it had ended. */
  public abstract boolean cancel();

  /**
   * The task as a future, and as a stage that others depend on: it completes with the value, with
   * what the work threw last, or with a {@link CancellationException}. Cancelling it cancels the
   * task. What depends on it runs where the task ends, which is as a rule the device's own thread:
   * use the asynchronous methods for what takes long.
   */
  public final CompletableFuture<R> future() {
    CompletableFuture<R> future = new CompletableFuture<>();
    onEnd(outcome -> {
      switch (outcome) {
        case Outcome.Succeeded<R> succeeded -> future.complete(succeeded.value());
        case Outcome.Failed<R> failed -> future.completeExceptionally(failed.cause());
        case Outcome.Cancelled<R> _ -> future.cancel(false);
      }
    });
    var _ =
        future.whenComplete((value, failure) -> {
          if (future.isCancelled()) {
            cancel();
          }
        });
    return future;
  }
}
