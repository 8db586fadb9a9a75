package dev.fairlead.media.encode;

import dev.fairlead.media.av.AvException;
import dev.fairlead.media.av.Encoded;
import dev.fairlead.media.chunk.Chunk;
import java.util.List;

/**
 * Looks whether an encoder kept its promise: every picture that went in came out, at its time, and
 * decoding can begin at the first one and nowhere else. A device that lies about this is as broken
 * as one that throws.
 */
public final class ChunkCheck {
  private ChunkCheck() {}

  /** Throws if the packets are not those of the chunk. */
  public static void check(Chunk chunk, EncodedChunk encoded) {
    List<Encoded> packets = encoded.packets();
    long[] in = chunk.times();
    if (packets.size() != in.length) {
      throw lie(chunk, "%d pictures in, %d packets out".formatted(in.length, packets.size()));
    }
    long[] out = packets.stream().mapToLong(Encoded::pts).sorted().toArray();
    for (int i = 0; i < in.length; i++) {
      if (in[i] != out[i]) {
        throw lie(chunk, "the picture at %d came out at %d".formatted(in[i], out[i]));
      }
    }
    for (int i = 0; i < packets.size(); i++) {
      if (packets.get(i).key() != (i == 0)) {
        throw lie(chunk, i == 0 ? "it does not begin with a key" : "packet " + i + " is a key");
      }
      if (packets.get(i).data().length == 0) {
        throw lie(chunk, "packet " + i + " is empty");
      }
    }
  }

  private static AvException lie(Chunk chunk, String what) {
    return new AvException("Chunk %d: %s".formatted(chunk.index(), what));
  }
}
