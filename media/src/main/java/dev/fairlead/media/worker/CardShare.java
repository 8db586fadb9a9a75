package dev.fairlead.media.worker;

import dev.fairlead.media.av.Picture;
import dev.fairlead.media.chunk.Budget;
import dev.fairlead.media.wire.Report;
import java.util.Optional;

/**
 * What the chunk in work takes of a card's memory. A chunk that has no room there has its pictures
 * in the memory of the host, as have those that are more than were expected of it. One pump's.
 */
final class CardShare {
  private final Optional<DecodingCards.Seat> on;
  private long reserved;
  private long held;

  CardShare(Optional<DecodingCards.Seat> on) {
    this.on = on;
  }

  /** What was reserved for a chunk, to be given back with it. */
  record Reserved(Budget room, Report.OnCard onCard) {
    void give() {
      room.give(onCard.bytes());
    }
  }

  /**
   * A chunk begins; waits until there is room for it on the card.
   *
   * @param bytes that its pictures will take there; zero if they are elsewhere
   */
  void begin(long bytes) throws InterruptedException {
    reserved = 0;
    held = 0;
    if (bytes > 0 && on.isPresent() && on.get().room().reserveWithin(bytes)) {
      reserved = bytes;
    }
  }

  /** What was reserved for the chunk; empty if it is in the memory of the host. */
  Optional<Reserved> reserved() {
    return on.filter(card -> reserved > 0)
        .map(card -> new Reserved(card.room(), new Report.OnCard(card.card().address(), reserved)));
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
