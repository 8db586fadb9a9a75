package dev.fairlead.media.worker;

import dev.fairlead.media.av.Picture;
import dev.fairlead.media.chunk.Budget;

/**
 * What the chunk in work takes of a card's memory. A chunk that has no room there has its pictures
 * in the memory of the host, as have those that are more than were expected of it. One pump's.
 */
final class CardShare {
  private final Budget room;
  private long reserved;
  private long held;

  CardShare(Budget room) {
    this.room = room;
  }

  /**
   * A chunk begins; waits until there is room for it on the card.
   *
   * @param bytes that its pictures will take there; zero if they are elsewhere
   */
  void begin(long bytes) throws InterruptedException {
    reserved = bytes > 0 && room.reserveWithin(bytes) ? bytes : 0;
    held = 0;
  }

  /** What was reserved for the chunk. */
  long reserved() {
    return reserved;
  }

  /** Takes over a picture of the chunk, and brings it to the host if it cannot stay. */
  Picture settle(Picture picture) {
    if (!picture.isOnDevice()) {
      return picture;
    }
    if (held + picture.bytes() <= reserved) {
      held += picture.bytes();
      return picture;
    }
    try (picture) {
      return picture.downloaded();
    }
  }
}
