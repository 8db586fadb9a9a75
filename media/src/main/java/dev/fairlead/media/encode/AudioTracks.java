package dev.fairlead.media.encode;

import dev.fairlead.media.plan.AudioPlan;
import dev.fairlead.media.settings.AudioSettings;
import dev.fairlead.media.wire.EncodedAudio;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Makes the packets of an audio track, by encoding it or by taking it over. */
public final class AudioTracks {
  private static final int PIECE_SECONDS = 30;

  private AudioTracks() {}

  /**
   * Runs from start to end.
   *
   * @param first the first piece that is wanted; of earlier ones packets may be missing
   * @throws NotCopied if the track is to be taken over, and no file can hold it as it is
   */
  public static EncodedAudio run(
      AudioSettings settings, long first, SoundSink sink, BooleanSupplier stop) {
    return settings.plan().action() == AudioPlan.Action.COPY
        ? AudioCopy.run(settings, sink, stop)
        : AudioEncoder.run(settings, first, sink, stop);
  }

  /** How long a piece of a track is: whole packets. */
  static long pieceTicks(int rate, int frame) {
    return Math.max(1, (long) PIECE_SECONDS * rate / frame) * frame;
  }

  static List<String> notices(int repairs, long damaged) {
    List<String> notices = new ArrayList<>();
    if (repairs > 0) {
      notices.add(
          "has times that cannot be true; they were repaired "
              + (repairs == 1 ? "once" : repairs + " times"));
    }
    if (damaged > 0) {
      notices.add("has %d damaged packets, which were skipped".formatted(damaged));
    }
    return notices;
  }
}
