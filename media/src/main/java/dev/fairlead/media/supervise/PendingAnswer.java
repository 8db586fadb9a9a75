package dev.fairlead.media.supervise;

import dev.fairlead.media.wire.Failure;
import dev.fairlead.media.wire.Report;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/** What waits for an answer, and when there was last a sign that one comes. */
final class PendingAnswer {
  private final CompletableFuture<Report.Answer> answer = new CompletableFuture<>();
  private final LongSupplier nanos;
  private volatile long sign;

  PendingAnswer(LongSupplier nanos) {
    this.nanos = nanos;
    this.sign = nanos.getAsLong();
  }

  void sign() {
    sign = nanos.getAsLong();
  }

  void complete(Report.Answer given) {
    answer.complete(given);
  }

  void fail(Failure failure) {
    answer.completeExceptionally(new FailedException(failure));
  }

  boolean isEnded() {
    return answer.isDone();
  }

  /** Waits until the worker has let go of what it did, if it does so soon. */
  void awaitEnd(Duration patience) {
    try {
      answer.get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException | InterruptedException ended) {
      // The caller does not want the answer any more.
    }
  }

  /** Waits for as long as there are signs. */
  Report.Answer await(Duration patience)
      throws InterruptedException, ExecutionException, TimeoutException {
    while (true) {
      long left = patience.toNanos() - (nanos.getAsLong() - sign);
      try {
        return answer.get(Math.max(0, left), TimeUnit.NANOSECONDS);
      } catch (TimeoutException late) {
        if (nanos.getAsLong() - sign >= patience.toNanos()) {
          throw late;
        }
      }
    }
  }
}
