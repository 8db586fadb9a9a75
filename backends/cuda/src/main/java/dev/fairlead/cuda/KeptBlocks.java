package dev.fairlead.cuda;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Blocks of memory that were freed and that the driver has not got back: the next that asks for
 * about as much gets one. Thread-safe.
 */
final class KeptBlocks {
  /** What is asked for is at least this part of a block, so that little of it lies idle. */
  private static final double LEAST_PART = 8.0 / 9;

  /**
   * A block.
   *
   * @param events what has to come before it may be written to
   */
  record Block(long address, long bytes, List<Long> events) {}

  private final long most;
  private final Deque<Block> blocks = new ArrayDeque<>();
  private long bytes;

  /**
   * Keeps nothing yet.
   *
   * @param most bytes that are kept
   */
  KeptBlocks(long most) {
    this.most = most;
  }

  synchronized long bytes() {
    return bytes;
  }

  synchronized boolean hasRoomFor(long more) {
    return more <= most - bytes;
  }

  synchronized void keep(Block block) {
    blocks.add(block);
    bytes += block.bytes();
  }

  /** A block for so many bytes that may be used at once, the one that was freed first. */
  synchronized @Nullable Block take(long wanted, Predicate<Block> isOver) {
    for (Iterator<Block> all = blocks.iterator(); all.hasNext(); ) {
      Block block = all.next();
      boolean fits = block.bytes() >= wanted && wanted >= block.bytes() * LEAST_PART;
      if (fits && isOver.test(block)) {
        all.remove();
        bytes -= block.bytes();
        return block;
      }
    }
    return null;
  }

  /** All of them, which are kept no more. */
  synchronized List<Block> takeAll() {
    List<Block> all = List.copyOf(blocks);
    blocks.clear();
    bytes = 0;
    return all;
  }
}
