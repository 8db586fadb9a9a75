package dev.fairlead.media.plan;

import dev.fairlead.media.probe.Rational;
import java.util.Optional;

/**
 * Which frames are kept under a largest frame rate; those that are keep their times.
 *
 * <p>Time is cut into slots of one frame of that rate, and the first frame in a slot is kept. Slots
 * are counted from the start of the frame's chunk, and begin a quarter early, since frames of a
 * regular source fall on the slots' edges, half a tick to either side. So whether a frame is kept
 * depends on frames of its own chunk only, wherever decoding began, and every chunk that has frames
 * keeps its first. Frames come in the order in which they are shown.
 */
public final class FrameGate {
  private static final int QUARTERS = 4;

  private final ChunkGrid grid;
  private final long factor;
  private final long divisor;
  private long chunk = Long.MIN_VALUE;
  private long slot;

  private FrameGate(ChunkGrid grid, long factor, long divisor) {
    this.grid = grid;
    this.factor = factor;
    this.divisor = divisor;
  }

  /** A gate for a source; one that keeps all frames if there is no largest rate. */
  public static FrameGate of(ChunkGrid grid, Rational timeBase, Optional<Rational> maxFps) {
    return maxFps
        .map(rate ->
            new FrameGate(
                grid,
                Math.multiplyExact(QUARTERS * (long) timeBase.num(), rate.num()),
                (long) timeBase.den() * rate.den()))
        .orElse(new FrameGate(grid, 0, 1));
  }

  /** Whether the next frame is kept. */
  public boolean keeps(long pts) {
    if (factor == 0) {
      return true;
    }
    long itsChunk = grid.chunkOf(pts);
    long quarters = Rescale.floor(pts - grid.startOf(itsChunk), factor, divisor);
    long itsSlot = (quarters + 1) / QUARTERS;
    boolean kept = itsChunk != chunk || itsSlot != slot;
    chunk = itsChunk;
    slot = itsSlot;
    return kept;
  }
}
