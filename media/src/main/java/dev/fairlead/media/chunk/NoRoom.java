package dev.fairlead.media.chunk;

import dev.fairlead.device.Bytes;

/** A chunk has more pictures than there is memory for. */
public final class NoRoom extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * Of a chunk that does not fit.
   *
   * @param held the bytes of its pictures so far
   * @param most what all pictures may take
   */
  public NoRoom(long chunk, int pictures, long held, long most) {
    super(
        "chunk %d has more than %d pictures, which are %s, and all pictures together may be %s"
            .formatted(chunk, pictures - 1, Bytes.of(held), Bytes.of(most)));
  }
}
