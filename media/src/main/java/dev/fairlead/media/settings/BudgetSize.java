package dev.fairlead.media.settings;

/**
 * How much there may be of decoded pictures: so many chunks, and so many bytes at most. How large a
 * chunk is shows only when its first picture is there: decoders pad as they like.
 */
public record BudgetSize(int chunks, long bytes) {
  public BudgetSize {
    if (bytes < 0 || chunks < 0) {
      throw new IllegalArgumentException("Room for %d chunks, %d bytes".formatted(chunks, bytes));
    }
  }

  public static BudgetSize ofChunks(int chunks) {
    return new BudgetSize(chunks, Long.MAX_VALUE);
  }

  /** How many bytes there may be when a chunk of so many begins. */
  public long bytes(long chunkBytes) {
    return Math.min(bytes, chunks * chunkBytes);
  }

  /** For how many chunks of so many bytes there is room. */
  public long chunks(long chunkBytes) {
    return bytes(chunkBytes) / Math.max(1, chunkBytes);
  }
}
