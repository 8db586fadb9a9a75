package dev.fairlead.media.wire;

/** A piece of text that is shown for a while; times count from the start of the output. */
public record Caption(long fromMillis, long toMillis, String text) {}
