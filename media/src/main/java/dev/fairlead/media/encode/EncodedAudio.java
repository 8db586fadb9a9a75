package dev.fairlead.media.encode;

/**
 * What a player must know of an audio track, beside its packets.
 *
 * @param codec opus or aac
 * @param header OpusHead, or AudioSpecificConfig
 * @param skip samples at the start that are not to be heard
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, never changed or compared
public record EncodedAudio(
    String codec, byte[] header, int channels, int sampleRate, long skip, long packets) {}
