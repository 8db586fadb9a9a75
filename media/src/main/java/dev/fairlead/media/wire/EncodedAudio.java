package dev.fairlead.media.wire;

import java.util.List;

/**
 * What a player must know of an audio track, beside its packets.
 *
 * @param codec opus or aac
 * @param header OpusHead, or AudioSpecificConfig
 * @param skip samples before the start of the output, which are decoded and not heard
 * @param notices what people should know of it, in sentences
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, never changed or compared
public record EncodedAudio(
    String codec, byte[] header, int channels, int sampleRate, long skip, List<String> notices) {
  public EncodedAudio {
    notices = List.copyOf(notices);
  }
}
