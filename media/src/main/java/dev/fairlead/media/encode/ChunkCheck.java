package dev.fairlead.media.encode;

import dev.fairlead.media.av.AvException;
import dev.fairlead.media.av.Decoder;
import dev.fairlead.media.av.Encoded;
import dev.fairlead.media.av.Picture;
import dev.fairlead.media.chunk.Chunk;
import dev.fairlead.media.codec.Av1Obus;
import dev.fairlead.media.codec.NalUnits;
import dev.fairlead.media.settings.EncoderKind;
import java.util.List;

/**
 * Looks whether an encoder kept its promise: every picture that went in came out, at its time;
 * decoding can begin at the first one, and wherever else the encoder says so, as at a cut; and what
 * came out is a stream of its codec. A device that lies about this is as broken as one that throws.
 *
 * <p>Of what a card made, the first picture is decoded too; the processor's own encoders are spared
 * that.
 */
public final class ChunkCheck {
  private ChunkCheck() {}

  /** Throws if the packets are not those of the chunk. */
  public static void check(Chunk chunk, EncodedChunk encoded, EncoderKind kind) {
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
    if (!packets.getFirst().key()) {
      throw lie(chunk, "it does not begin with a key");
    }
    for (int i = 0; i < packets.size(); i++) {
      if (!holdsPicture(kind.codec(), packets.get(i).data())) {
        throw lie(chunk, "packet %d holds no picture in %s".formatted(i, kind.codec()));
      }
    }
    if (!kind.runsOnProcessor()) {
      decodeFirst(chunk, encoded, kind.codec());
    }
  }

  private static boolean holdsPicture(String codec, byte[] data) {
    return switch (codec) {
      case "av1" -> Av1Obus.holdsPicture(data);
      default -> NalUnits.isAnnexB(data) && !NalUnits.split(data).isEmpty();
    };
  }

  /** Throws unless the first packet becomes a picture. */
  static void decodeFirst(Chunk chunk, EncodedChunk encoded, String codec) {
    boolean[] seen = new boolean[1];
    boolean intact;
    try (Decoder decoder = Decoder.open(codec)) {
      intact = decoder.decodeData(encoded.beginning(), picture -> see(picture, seen));
    } catch (AvException undecodable) {
      throw lie(chunk, "its first picture cannot be decoded: " + undecodable.getMessage());
    }
    if (!intact || !seen[0]) {
      throw lie(chunk, "its first picture cannot be decoded");
    }
  }

  private static void see(Picture picture, boolean[] seen) {
    try (picture) {
      seen[0] = true;
    }
  }

  private static AvException lie(Chunk chunk, String what) {
    return new AvException("Chunk %d: %s".formatted(chunk.index(), what));
  }
}
