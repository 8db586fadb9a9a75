package dev.fairlead.media.av;

/** What an encoder gave: one packet. Times are in ticks of the encoder. */
@SuppressWarnings("ArrayRecordComponent") // handed on, never changed or compared
public record Encoded(long pts, long dts, long duration, boolean key, byte[] data) {}
