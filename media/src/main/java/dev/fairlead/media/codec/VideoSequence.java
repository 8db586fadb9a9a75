package dev.fairlead.media.codec;

import dev.fairlead.media.source.Colour;

/** What the header of a video stream says, whatever the codec. */
public sealed interface VideoSequence permits Av1Sequence, AvcSequence, HevcSequence {
  int width();

  int height();

  /** Bits per sample. */
  int depth();

  Colour colour();

  /** The codec as playlists name it (RFC 6381). */
  String codecs();
}
