package dev.fairlead.media.source;

/**
 * One audio track of a source.
 *
 * @param stream its index in the file
 * @param layout channel layout as FFmpeg names it, such as {@code 5.1}
 * @param language a tag such as {@code eng}; empty if none
 * @param start timestamp of the first sample, in ticks
 */
public record AudioTrack(
    int stream,
    String codec,
    int channels,
    String layout,
    int sampleRate,
    Rational timeBase,
    long start,
    String language,
    String title,
    boolean preferred) {}
