package dev.fairlead.media.pack;

import dev.fairlead.media.store.Sample;
import java.util.ArrayDeque;

/**
 * How many bits a second the samples of a track take: on average, and in the densest second. Not
 * for use by two threads at once.
 */
final class BitRates {
  private static final long LARGEST = 0xffffffffL;

  private record Piece(long dts, int bytes) {}

  private final int timescale;
  private final ArrayDeque<Piece> lastSecond = new ArrayDeque<>();
  private long lastBytes;
  private long densestBytes;
  private long bytes;
  private long ticks;

  BitRates(int timescale) {
    this.timescale = timescale;
  }

  /** Counts a further sample, in the order of decoding. */
  void add(Sample sample) {
    while (!lastSecond.isEmpty() && lastSecond.getFirst().dts <= sample.dts() - timescale) {
      lastBytes -= lastSecond.removeFirst().bytes;
    }
    lastSecond.addLast(new Piece(sample.dts(), sample.data().length));
    lastBytes += sample.data().length;
    densestBytes = Math.max(densestBytes, lastBytes);
    bytes += sample.data().length;
    ticks += sample.duration();
  }

  long average() {
    return ticks > 0 ? Math.ceilDiv(Math.multiplyExact(bytes * 8, (long) timescale), ticks) : 0;
  }

  long most() {
    return Math.max(densestBytes * 8, average());
  }

  /**
   * Writes a {@code btrt}. A buffer that holds the densest second is enough: what is filled at the
   * largest rate, and a second ahead, never runs dry.
   */
  void write(Boxes out) {
    out.box(
        "btrt",
        () ->
            out.u32(Math.min(LARGEST, most() / 8))
                .u32(Math.min(LARGEST, most()))
                .u32(Math.min(LARGEST, average())));
  }
}
