package dev.fairlead.media.encode;

import dev.fairlead.media.av.Encoded;
import dev.fairlead.media.plan.AudioPlan;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Makes the packets of an audio track, by encoding it or by taking it over. */
public final class AudioTracks {
  private AudioTracks() {}

  /** Runs from start to end; a track that cannot be taken over as it is becomes Opus. */
  public static EncodedAudio run(
      AudioSettings settings, Consumer<Encoded> sink, BooleanSupplier stop) {
    if (settings.plan().action() == AudioPlan.Action.COPY && AudioCopy.isPossible(settings)) {
      return AudioCopy.run(settings, sink, stop);
    }
    return AudioEncoder.run(settings, sink, stop);
  }
}
