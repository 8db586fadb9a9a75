package dev.fairlead.media.chunk;

import dev.fairlead.media.av.Picture;
import java.util.List;

/**
 * The decoded pictures of one cell of the chunk grid. Every rung reads the same copy.
 *
 * @param end when the picture after the last one is shown, in ticks of the track
 */
public record Chunk(long index, List<Picture> pictures, long end) implements AutoCloseable {
  public Chunk {
    pictures = List.copyOf(pictures);
    if (pictures.isEmpty()) {
      throw new IllegalArgumentException("Chunk " + index + " has no pictures");
    }
  }

  public long bytes() {
    return pictures.stream().mapToLong(Picture::bytes).sum();
  }

  @Override
  public void close() {
    pictures.forEach(Picture::close);
  }
}
