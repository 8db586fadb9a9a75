package dev.fairlead.media.output;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;

/** Chunks of a rung that are committed in any order, one after another. One thread at a time. */
final class ChunkSequencer {
  private final TreeMap<Long, Path> waiting = new TreeMap<>();
  private final List<Long> all;
  private int next;

  /** Takes the next chunk. */
  interface Sink {
    /**
     * Takes a chunk.
     *
     * @param before the chunk before it, or the same if it is the first
     */
    void take(long before, long chunk, Path file);
  }

  /**
   * An order of chunks.
   *
   * @param all the chunks that there are, in order; may grow at its end
   */
  ChunkSequencer(List<Long> all) {
    this.all = all;
  }

  /** Adds a chunk, and hands on what has its turn now. */
  void add(long chunk, Path file, Sink sink) {
    waiting.put(chunk, file);
    advance(sink);
  }

  void advance(Sink sink) {
    while (next < all.size() && waiting.containsKey(all.get(next))) {
      long chunk = all.get(next);
      long before = all.get(Math.max(0, next - 1));
      next++;
      sink.take(before, chunk, Objects.requireNonNull(waiting.remove(chunk)));
    }
  }
}
