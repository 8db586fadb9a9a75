package dev.fairlead.media.source;

import java.util.List;

/**
 * What is in a source.
 *
 * @param format the container, as FFmpeg names it
 * @param seconds how long it lasts; an estimate, zero if not known
 * @param otherVideo streams with video that is not encoded
 */
public record MediaInfo(
    String format,
    double seconds,
    long bytes,
    VideoTrack video,
    List<AudioTrack> audio,
    List<SubtitleTrack> subtitles,
    List<Integer> otherVideo) {
  public MediaInfo {
    audio = List.copyOf(audio);
    subtitles = List.copyOf(subtitles);
    otherVideo = List.copyOf(otherVideo);
  }

  public MediaInfo(
      String format,
      double seconds,
      long bytes,
      VideoTrack video,
      List<AudioTrack> audio,
      List<SubtitleTrack> subtitles) {
    this(format, seconds, bytes, video, audio, subtitles, List.of());
  }
}
