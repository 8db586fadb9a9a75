package dev.fairlead.media.wire;

import java.util.List;

/** What a trial of a device has shown, as a worker reports it. */
public sealed interface TrialResult {
  /**
   * What was seen of an encoder. The times are in milliseconds.
   *
   * @param ffmpeg the version of what has encoded
   * @param first the first packet
   * @param keys packets at which decoding can begin
   * @param decoded pictures that came of the packets
   * @param width of what was decoded, as is {@code height}
   * @param lumaDb how near the brightness of pictures is to what was encoded, in decibels
   */
  @SuppressWarnings("ArrayRecordComponent") // handed on, never changed or compared
  record Encoding(
      String ffmpeg,
      byte[] header,
      byte[] first,
      int packets,
      boolean keyFirst,
      int keys,
      int decoded,
      int width,
      int height,
      double lumaDb,
      double chromaDb,
      double openMillis,
      double frameMillis,
      double closeMillis)
      implements TrialResult {}

  /**
   * How near pictures of a card are to those of the processor, in decibels.
   *
   * @param pictures that were compared
   * @param lumaDb of their brightness
   */
  record Frames(int pictures, double lumaDb, double chromaDb) implements TrialResult {}

  /**
   * What was seen of encoders that are open at the same time.
   *
   * @param opened how many were open at the same time
   * @param refusal why there was not one more; empty if all that were asked for were opened
   * @param busy whether the refusal says that there are as many as there may be
   * @param seconds that all of them took for their pictures
   */
  record Sessions(int opened, String refusal, boolean busy, double seconds)
      implements TrialResult {}

  /** A picture: when it is shown, in ticks of its track, and a checksum of what is seen. */
  record Sum(long pts, long checksum) {}

  /** The pictures in the order in which they came, and how long each took. */
  record Decoding(List<Sum> pictures, double frameMillis) implements TrialResult {
    public Decoding {
      pictures = List.copyOf(pictures);
    }
  }

  /**
   * What one encoder has made.
   *
   * @param first the first packet
   * @param decoded pictures that came of its chunk behind the others
   */
  @SuppressWarnings("ArrayRecordComponent") // handed on, never changed or compared
  record Part(byte[] header, byte[] first, int pictures, int decoded) {}

  /** What was seen of each encoder, in their order. */
  record Join(List<Part> parts) implements TrialResult {
    public Join {
      parts = List.copyOf(parts);
    }
  }
}
