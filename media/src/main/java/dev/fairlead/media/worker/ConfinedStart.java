package dev.fairlead.media.worker;

import dev.fairlead.nativecode.Landlock;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The start of a process by a thread that confines itself first. Rights are given up by a thread,
 * for good, and what it starts inherits that; so the thread is made for this and ends with it.
 */
final class ConfinedStart {
  private ConfinedStart() {}

  static Process of(ProcessBuilder builder, Landlock.Rules rules) throws IOException {
    CompletableFuture<Process> started = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .name("fairlead starts a worker")
        .start(() -> {
          try {
            Landlock.confineThread(rules);
            started.complete(builder.start());
          } catch (Throwable failure) {
            started.completeExceptionally(failure);
          }
        });
    try {
      return started.join();
    } catch (CompletionException failed) {
      throw new IOException(
          "A confined process cannot be started: %s".formatted(failed.getCause()),
          failed.getCause());
    }
  }
}
