package dev.fairlead.media.trial;

import dev.fairlead.media.av.Encoder;
import dev.fairlead.media.av.Ffmpeg;
import dev.fairlead.media.encode.ChunkEncoder;
import dev.fairlead.media.settings.VideoSettings;
import dev.fairlead.media.wire.TrialResult;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/** Encodes some pictures, decodes all that came out in software, and compares. */
public final class EncoderTrial {
  private EncoderTrial() {}

  /** Runs it; throws {@link CancellationException} when it is to stop. */
  public static TrialResult.Encoding run(
      VideoSettings settings, int pictures, BooleanSupplier stop) {
    long begun = System.nanoTime();
    Encoder encoder = ChunkEncoder.open(settings);
    long opened = System.nanoTime();
    byte[] header;
    long spent;
    long closing;
    try (TestDecoding decoding = new TestDecoding(settings, encoder::header)) {
      // An encoder goes before the memory that it was fed from.
      try (Encoder _ = encoder;
          TestFeed feed = new TestFeed(settings, encoder, decoding);
          Encoder _ = encoder) {
        feed.encode(pictures, stop);
        header = encoder.header();
        spent = feed.nanos();
        closing = System.nanoTime();
      }
      long closed = System.nanoTime();
      decoding.finish();
      return new TrialResult.Encoding(
          Ffmpeg.version(),
          header,
          decoding.first(),
          decoding.packets(),
          decoding.beginsWithKey(),
          decoding.keys(),
          decoding.decoded(),
          decoding.width(),
          decoding.height(),
          decoding.lumaDb(),
          decoding.chromaDb(),
          millis(opened - begun),
          millis(spent) / pictures,
          millis(closed - closing));
    }
  }

  private static double millis(long nanos) {
    return nanos / 1e6;
  }
}
