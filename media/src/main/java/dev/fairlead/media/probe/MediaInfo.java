package dev.fairlead.media.probe;

import java.util.List;

/**
 * What is in a source.
 *
 * @param format the container, as FFmpeg names it
 * @param seconds how long it lasts; an estimate, zero if not known
 */
public record MediaInfo(
    String format,
    double seconds,
    long bytes,
    VideoTrack video,
    List<AudioTrack> audio,
    List<SubtitleTrack> subtitles) {
  public MediaInfo {
    audio = List.copyOf(audio);
    subtitles = List.copyOf(subtitles);
  }
}
