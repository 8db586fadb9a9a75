package dev.fairlead.media.local;

import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.job.Transcode;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.job.TranscodeResult;
import dev.fairlead.media.job.Transcodes;
import dev.fairlead.media.plan.TranscodeRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Transcodes on the devices of this machine. */
public final class LocalTranscodes implements Transcodes {
  private final JobOptions options;

  public LocalTranscodes(JobOptions options) {
    this.options = options;
  }

  @Override
  public Transcode submit(TranscodeRequest request, TranscodeListener listener) {
    TranscodeJob run = new TranscodeJob(request, options, listener);
    CompletableFuture<TranscodeResult> result = new CompletableFuture<>();
    Thread.ofVirtual()
        .name("transcode " + request.input().getFileName())
        .start(() -> {
          try {
            result.complete(run.run());
          } catch (Throwable failure) {
            result.completeExceptionally(failure);
          }
        });
    return new Transcode() {
      @Override
      public TranscodeResult await() throws InterruptedException {
        try {
          return result.get();
        } catch (ExecutionException failed) {
          if (failed.getCause() instanceof RuntimeException known) {
            throw known;
          }
          throw new IllegalStateException(failed.getCause());
        }
      }

      @Override
      public void cancel() {
        run.cancel();
      }
    };
  }
}
