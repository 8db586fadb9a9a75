package dev.fairlead.media.encode;

import dev.fairlead.media.av.Encoded;
import dev.fairlead.media.codec.NalUnits;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * What became of a chunk: its packets in the order of decoding, and the stream's header.
 *
 * @param header as the encoder gives it ahead of the stream; empty if it does not
 * @param waitedNanos how long the encoder waited for pictures
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, never changed or compared
public record EncodedChunk(byte[] header, List<Encoded> packets, long waitedNanos) {
  /** A chunk whose pictures were there. */
  public EncodedChunk(byte[] header, List<Encoded> packets) {
    this(header, packets, 0);
  }

  /** The first packet as a decoder wants it: after the header, where that is not in it. */
  public byte[] beginning() {
    byte[] ahead = NalUnits.isAnnexB(header) ? header : new byte[0];
    byte[] first = packets.getFirst().data();
    return ByteBuffer.allocate(ahead.length + first.length).put(ahead).put(first).array();
  }
}
