package dev.fairlead.media.encode;

import dev.fairlead.media.probe.AudioTrack;
import java.nio.file.Path;

/**
 * How one audio track of a source is to be kept.
 *
 * @param action what is done with it
 * @param bitRate bits a second, where it is encoded
 * @param from seconds of the source at which the output begins
 * @param to seconds of the source at which it ends
 */
public record AudioSettings(
    Path path, AudioTrack track, Action action, long bitRate, double from, double to) {
  /** What becomes of the track. */
  public enum Action {
    COPY,
    OPUS,
    AAC
  }
}
