package dev.fairlead.media.local;

import dev.fairlead.media.job.TranscodeResult;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** What a job has come to, for those who wait for it. Thread-safe. */
final class JobResult {
  private final CompletableFuture<TranscodeResult> future = new CompletableFuture<>();

  void made(TranscodeResult result) {
    future.complete(result);
  }

  void failed(Throwable why) {
    future.completeExceptionally(why);
  }

  TranscodeResult await() throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof RuntimeException known) {
        throw known;
      }
      throw new IllegalStateException(failed.getCause());
    }
  }
}
