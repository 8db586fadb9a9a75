package dev.fairlead.examples;

import dev.fairlead.device.Discovery;
import dev.fairlead.device.Engine;
import dev.fairlead.media.job.Transcode;
import dev.fairlead.media.job.TranscodeException;
import dev.fairlead.media.job.TranscodeListener;
import dev.fairlead.media.job.TranscodeListener.Event;
import dev.fairlead.media.job.TranscodeResult;
import dev.fairlead.media.local.LocalTranscodes;
import dev.fairlead.media.plan.LadderSpec;
import dev.fairlead.media.plan.TranscodeRequest;
import dev.fairlead.pool.DevicePool;
import dev.fairlead.pool.PoolOptions;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Turns a video into a ladder of two rungs, says how far it is, and what came out of it. */
public final class TranscodeClip {
  private TranscodeClip() {}

  /**
   * Transcodes a video.
   *
   * @param terms the devices, such as {@code all} or {@code cpu:2}
   * @param said takes a line for people now and then
   */
  public static TranscodeResult transcode(
      String terms, Path video, Path output, Consumer<String> said) throws InterruptedException {
    Discovery devices = Discovery.find(terms).on(Engine.ENCODE);
    try (DevicePool pool = DevicePool.open(devices, PoolOptions.usual().withContextsOnUse())) {
      TranscodeRequest request =
          TranscodeRequest.of(video, output).withLadder(LadderSpec.parse("360p,180p"));
      Transcode transcode = LocalTranscodes.on(pool).submit(request, progress(said));
      TranscodeResult result = transcode.await();
      for (TranscodeResult.RungResult rung : result.rungs()) {
        said.accept("%s: %d frames in %s".formatted(rung.name(), rung.frames(), rung.manifest()));
      }
      return result;
    }
  }

  /** Takes the events that people want to hear of. */
  private static TranscodeListener progress(Consumer<String> said) {
    return event -> {
      switch (event) {
        case Event.Committed chunk ->
            said.accept("%s by %s".formatted(chunk.unit(), chunk.device()));
        case Event.Requeued again -> said.accept("once more: " + again.reason());
        case Event.Noticed notice -> said.accept(notice.what());
        case Event.Planned _, Event.Assigned _, Event.Started _, Event.Progress _ -> {}
        case Event.SegmentWritten _, Event.RungWritten _, Event.Finished _ -> {}
      }
    };
  }

  /** Whether asking for the same again may go well; it goes on from where it stopped. */
  public static boolean isWorthAnotherTry(TranscodeException failure) {
    return switch (failure) {
      case TranscodeException.Cancelled _ -> true;
      case TranscodeException.Storage _, TranscodeException.GaveUp _ -> true;
      case TranscodeException.BadRequest _, TranscodeException.Unreadable _ -> false;
      case TranscodeException.TooLarge _, TranscodeException.NoCapableDevice _ -> false;
    };
  }
}
