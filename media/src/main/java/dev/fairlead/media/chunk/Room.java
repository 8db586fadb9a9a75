package dev.fairlead.media.chunk;

/**
 * How much there may be of decoded pictures: so many bytes, or so many chunks if they take more.
 * How large a chunk is shows only when its first picture is there: decoders pad as they like.
 */
public record Room(long bytes, int chunks) {
  public Room {
    if (bytes < 0 || chunks < 0) {
      throw new IllegalArgumentException("Room for %d bytes, %d chunks".formatted(bytes, chunks));
    }
  }

  public static Room ofBytes(long bytes) {
    return new Room(bytes, 0);
  }

  public static Room ofChunks(int chunks) {
    return new Room(0, chunks);
  }

  /** In bytes, if a chunk has so many. */
  public long bytes(long chunkBytes) {
    return Math.max(bytes, chunks * chunkBytes);
  }
}
