package dev.fairlead.media.source;

/**
 * One subtitle track of a source; only those made of text can be kept.
 *
 * @param forced whether it is to be shown also to those who want no subtitles
 */
public record SubtitleTrack(
    int stream,
    String codec,
    boolean text,
    String language,
    String title,
    boolean preferred,
    boolean forced) {
  public SubtitleTrack(
      int stream, String codec, boolean text, String language, String title, boolean preferred) {
    this(stream, codec, text, language, title, preferred, false);
  }
}
