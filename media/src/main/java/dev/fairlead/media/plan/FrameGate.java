package dev.fairlead.media.plan;

import dev.fairlead.media.source.Rational;
import java.util.Optional;

/**
 * Which frames are kept under a largest frame rate; those that are keep their times.
 *
 * <p>Time is cut into slots of one frame of that rate, and the first frame in a slot is kept. Slots
 * are counted from the start of the frame's chunk, and begin a tick early, since frames of a
 * regular source fall on the slots' edges, or less than a tick before; not where ticks are so
 * coarse that frames have whole ones. So whether a frame is kept depends on frames of its own chunk
 * only, wherever decoding began, and every chunk that has frames keeps its first. Frames come in
 * the order in which they are shown.
 */
public final class FrameGate {
  /** A slot of fewer ticks than this begins when it begins. */
  private static final int FINE_TICKS = 8;

  private final ChunkGrid grid;
  private final long factor;
  private final long divisor;
  private final int early;
  private long chunk = Long.MIN_VALUE;
  private long slot;

  private FrameGate(ChunkGrid grid, long factor, long divisor) {
    this.grid = grid;
    this.factor = factor;
    this.divisor = divisor;
    this.early = divisor / FINE_TICKS >= factor ? 1 : 0;
  }

  /** A gate for a source; one that keeps all frames if there is no largest rate. */
  public static FrameGate of(ChunkGrid grid, Rational timeBase, Optional<Rational> maxFps) {
    return maxFps
        .map(rate ->
            new FrameGate(
                grid, (long) timeBase.num() * rate.num(), (long) timeBase.den() * rate.den()))
        .orElse(new FrameGate(grid, 0, 1));
  }

  /** Whether the next frame is kept. */
  public boolean keeps(long pts) {
    if (factor == 0) {
      return true;
    }
    long itsChunk = grid.chunkOf(pts);
    long itsSlot = Rescale.floor(pts - grid.startOf(itsChunk) + early, factor, divisor);
    boolean kept = itsChunk != chunk || itsSlot != slot;
    chunk = itsChunk;
    slot = itsSlot;
    return kept;
  }
}
