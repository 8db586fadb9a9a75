package dev.fairlead.media.local;

import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.job.Transcode;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.job.TranscodeResult;
import dev.fairlead.media.job.Transcodes;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.media.prepare.EncoderTrials;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Transcodes on the devices of this machine. What encoders have promised in one is known in the
 * next.
 */
public final class LocalTranscodes implements Transcodes {
  private final JobOptions options;
  private final EncoderTrials trials = new EncoderTrials();

  public LocalTranscodes(JobOptions options) {
    this.options = options;
  }

  @Override
  public Transcode submit(TranscodeRequest request, TranscodeListener listener) {
    TranscodeJob run = new TranscodeJob(request, options, trials, listener);
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
