package dev.fairlead.media.encode;

import dev.fairlead.media.av.Encoded;
import java.util.List;

/**
 * What became of a chunk: its packets in the order of decoding, and the stream's header.
 *
 * @param header as the encoder gives it ahead of the stream; empty if it does not
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, never changed or compared
public record EncodedChunk(byte[] header, List<Encoded> packets) {}
