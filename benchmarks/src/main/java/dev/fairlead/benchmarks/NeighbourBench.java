package dev.fairlead.benchmarks;

import dev.fairlead.device.Discovery;
import dev.fairlead.media.job.ChaosPlan;
import dev.fairlead.media.job.JobOptions;
import dev.fairlead.media.job.Transcode;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.local.HostLimits;
import dev.fairlead.media.local.JobOrder;
import dev.fairlead.media.local.TranscodeHost;
import dev.fairlead.media.plan.LadderSpec;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.pool.DevicePool;
import java.io.IOException;
import java.nio.file.Path;

/**
 * How long a job takes beside one that crashes its worker with each chunk, until that is given up,
 * against beside one that does nothing: it is paused.
 */
final class NeighbourBench {
  /** Workers that crash cost the same for any job beside them, so this says what it is to one. */
  private static final int SECONDS = 60;

  private static final String SOUND = "sound.mp4";

  private final Path directory;
  private final String ladder;

  /**
   * A measurement.
   *
   * @param directory where a clip is for the neighbour
   */
  NeighbourBench(Path directory, String ladder) throws IOException, InterruptedException {
    this.directory = directory;
    this.ladder = ladder;
    new BundledFfmpeg().makeClip(directory.resolve(SOUND), SECONDS, 1280, 720);
  }

  JobsBench.Walls measure() throws IOException, InterruptedException {
    double idle = seconds(false);
    return JobsBench.Walls.of(seconds(true), idle);
  }

  private double seconds(boolean crashes) throws IOException, InterruptedException {
    Path outputs = directory.resolve("beside");
    try (DevicePool pool = DevicePool.open(Discovery.find("cpu"))) {
      JobOptions options = JobOptions.usual(pool);
      HostLimits limits = HostLimits.usual(pool).withMinFreeBytes(0);
      try (TranscodeHost host = TranscodeHost.open(options, limits)) {
        Transcode neighbour =
            host.submit(
                JobOrder.of(
                    request("clip1.mp4", outputs.resolve("neighbour")),
                    crashes ? options.withChaos(ChaosPlan.parse("crash@100%")) : options));
        if (!crashes) {
          neighbour.pause();
        }
        long begun = System.nanoTime();
        host.submit(JobOrder.of(request(SOUND, outputs.resolve("sound")), options)).await();
        double seconds = (System.nanoTime() - begun) / 1e9;
        if (crashes) {
          requireFailed(neighbour);
        }
        host.cancelAndClose();
        return seconds;
      }
    } finally {
      Scratch.delete(outputs);
    }
  }

  private static void requireFailed(Transcode neighbour) throws InterruptedException {
    try {
      neighbour.await();
    } catch (TranscodeException.GaveUp failed) {
      return;
    }
    throw new IllegalStateException("The neighbour that crashes its workers came to a good end");
  }

  private TranscodeRequest request(String clip, Path output) {
    return TranscodeRequest.of(directory.resolve(clip), output)
        .withLadder(LadderSpec.parse(ladder));
  }
}
