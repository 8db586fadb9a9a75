package dev.fairlead.media.encode;

import dev.fairlead.media.av.Encoded;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Makes the packets of an audio track, by encoding it or by taking it over. */
public final class AudioTracks {
  private AudioTracks() {}

  /** Runs from start to end; a track that cannot be taken over as it is becomes Opus. */
  public static EncodedAudio run(
      AudioSettings settings, Consumer<Encoded> sink, BooleanSupplier stop) {
    if (settings.action() != AudioSettings.Action.COPY) {
      return AudioEncoder.run(settings, sink, stop);
    }
    if (AudioCopy.isPossible(settings)) {
      return AudioCopy.run(settings, sink, stop);
    }
    return AudioEncoder.run(
        new AudioSettings(
            settings.path(),
            settings.track(),
            AudioSettings.Action.OPUS,
            settings.bitRate(),
            settings.from(),
            settings.to()),
        sink,
        stop);
  }
}
