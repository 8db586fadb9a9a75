package dev.fairlead.media.trial;

import dev.fairlead.media.av.AvException;
import dev.fairlead.media.av.Decoder;
import dev.fairlead.media.av.Encoded;
import dev.fairlead.media.av.Encoder;
import dev.fairlead.media.av.Picture;
import dev.fairlead.media.encode.ChunkEncoder;
import dev.fairlead.media.encode.EncodedChunk;
import dev.fairlead.media.settings.VideoSettings;
import dev.fairlead.media.wire.TrialResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Makes a chunk with each of several encoders and decodes them one after another as one stream. */
public final class JoinTrial {
  private static final int PICTURES = 10;

  private JoinTrial() {}

  /** Runs it; all encoders are of one codec. */
  public static TrialResult.Join run(List<VideoSettings> each, BooleanSupplier stop) {
    List<TrialResult.Part> parts = new ArrayList<>();
    try (Decoder decoder = Decoder.open(each.getFirst().kind().codec())) {
      for (VideoSettings settings : each) {
        EncodedChunk chunk = encode(settings, stop);
        parts.add(
            new TrialResult.Part(
                chunk.header(),
                chunk.packets().getFirst().data(),
                PICTURES,
                decode(decoder, chunk)));
      }
    }
    return new TrialResult.Join(parts);
  }

  private static EncodedChunk encode(VideoSettings settings, BooleanSupplier stop) {
    List<Encoded> packets = new ArrayList<>();
    // An encoder goes before the memory that it was fed from.
    try (Encoder encoder = ChunkEncoder.open(settings);
        TestFeed feed = new TestFeed(settings, encoder, packets::add);
        Encoder _ = encoder) {
      feed.encode(PICTURES, stop);
      if (packets.isEmpty()) {
        throw new AvException("%d pictures in, no packet out".formatted(PICTURES));
      }
      return new EncodedChunk(encoder.header(), packets);
    }
  }

  /** The decoder stays as the chunk before has left it: that is what a player does. */
  private static int decode(Decoder decoder, EncodedChunk chunk) {
    int[] seen = new int[1];
    try {
      boolean first = true;
      for (Encoded packet : chunk.packets()) {
        boolean _ =
            decoder.decodeNext(
                first ? chunk.beginning() : packet.data(), picture -> count(picture, seen));
        first = false;
      }
      boolean _ = decoder.decode(null, picture -> count(picture, seen));
      decoder.flush();
    } catch (AvException undecodable) {
      decoder.flush();
    }
    return seen[0];
  }

  private static void count(Picture picture, int[] seen) {
    try (picture) {
      seen[0]++;
    }
  }
}
