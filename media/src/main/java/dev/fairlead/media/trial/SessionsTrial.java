package dev.fairlead.media.trial;

import dev.fairlead.media.av.AvException;
import dev.fairlead.media.av.Encoder;
import dev.fairlead.media.av.Picture;
import dev.fairlead.media.encode.ChunkEncoder;
import dev.fairlead.media.settings.VideoSettings;
import dev.fairlead.media.wire.TrialResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;

/**
 * Opens encoders one beside the other until one is refused, then has all of them encode at once.
 */
public final class SessionsTrial {
  private SessionsTrial() {}

  /**
   * Runs it.
   *
   * @param each the encoders, in the order in which they are opened; all of one kind and size
   * @param pictures how many each of them encodes; none if only their number is asked for
   */
  public static TrialResult.Sessions run(
      List<VideoSettings> each, int pictures, BooleanSupplier stop) throws InterruptedException {
    List<Encoder> open = new ArrayList<>();
    String refusal = "";
    boolean busy = false;
    try {
      for (VideoSettings settings : each) {
        try {
          open.add(ChunkEncoder.open(settings));
        } catch (AvException refused) {
          refusal = String.valueOf(refused.getMessage());
          busy = refused.isBusy();
          break;
        }
      }
      double seconds = pictures == 0 ? 0 : encode(each, open, pictures, stop);
      return new TrialResult.Sessions(open.size(), refusal, busy, seconds);
    } finally {
      open.forEach(Encoder::close);
    }
  }

  private static double encode(
      List<VideoSettings> each, List<Encoder> open, int pictures, BooleanSupplier stop)
      throws InterruptedException {
    if (open.isEmpty()) {
      return 0;
    }
    try (PictureLoop loop = PictureLoop.of(each.getFirst());
        ExecutorService threads = Executors.newFixedThreadPool(open.size())) {
      long begun = System.nanoTime();
      List<Future<?>> all = new ArrayList<>();
      for (Encoder encoder : open) {
        all.add(threads.submit(() -> encode(encoder, loop, pictures, stop)));
      }
      for (Future<?> one : all) {
        one.get();
      }
      return (System.nanoTime() - begun) / 1e9;
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof RuntimeException known
          ? known
          : new IllegalStateException(failed.getCause());
    }
  }

  private static void encode(
      Encoder encoder, PictureLoop loop, int pictures, BooleanSupplier stop) {
    for (int i = 0; i < pictures; i++) {
      if (stop.getAsBoolean()) {
        throw new CancellationException("The trial is not wanted any more");
      }
      try (Picture picture = loop.at(i)) {
        encoder.encode(picture, packet -> {});
      }
    }
    encoder.encode(null, packet -> {});
  }
}
