package dev.fairlead.media.store;

/**
 * One encoded picture or piece of sound.
 *
 * @param pts when it is shown, in ticks of its track, counted from the start of the output
 * @param dts when it is decoded, in the same ticks
 * @param duration how long it lasts, in the same ticks
 * @param sync whether decoding can begin here
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, never changed or compared
public record Sample(long pts, long dts, long duration, boolean sync, byte[] data) {}
