package dev.fairlead.media.encode;

import dev.fairlead.media.av.Encoded;

/** Takes the packets of an audio track, in order. */
public interface SoundSink {
  /**
   * Takes how packets are counted, before the first of them.
   *
   * @param sampleRate ticks a second
   * @param pieceTicks how long a piece is; a packet belongs to that in which it begins
   */
  void begin(int sampleRate, long pieceTicks);

  void add(Encoded packet);
}
