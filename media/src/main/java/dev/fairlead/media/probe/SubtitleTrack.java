package dev.fairlead.media.probe;

/** One subtitle track of a source; only those made of text can be kept. */
public record SubtitleTrack(
    int stream, String codec, boolean text, String language, String title, boolean preferred) {}
