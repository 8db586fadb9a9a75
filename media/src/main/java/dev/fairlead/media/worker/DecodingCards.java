package dev.fairlead.media.worker;

import dev.fairlead.media.av.AvException;
import dev.fairlead.media.av.Hardware;
import dev.fairlead.media.chunk.Budget;
import dev.fairlead.media.settings.BudgetSize;
import dev.fairlead.media.settings.CardDecoder;
import dev.fairlead.media.settings.HardwareAddress;
import dev.fairlead.media.wire.Command;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The cards on which the pumps of a job decode, each with room in its memory for what stays there.
 * A pump has one card for all of its spans: that with the fewest pumps when it starts, for the
 * decoders that it takes. There are never more pumps than all cards together take.
 */
final class DecodingCards {
  /** The rest is for what encoders and scalers keep, and for others who use the card. */
  private static final int SHARE = 2;

  /** What a card is trusted to have whose driver does not tell, as none of VAAPI does. */
  private static final long UNTOLD = 1L << 30;

  /** A chunk that is read, and one that is decoded meanwhile. */
  private static final int LEAST_CHUNKS = 2;

  private final List<Seat> seats = new ArrayList<>();

  /** A card, and how many pumps have it. */
  static final class Seat {
    private final CardDecoder card;
    private final Budget room;
    private int pumps; // guarded by the cards

    private Seat(CardDecoder card, Budget room) {
      this.card = card;
      this.room = room;
    }

    CardDecoder card() {
      return card;
    }

    /** What chunks take of its memory. */
    Budget room() {
      return room;
    }
  }

  DecodingCards(Command.Decode command) {
    List<CardDecoder> cards = command.cards();
    // A slow card is not to hold all the chunks that there may be.
    int chunks =
        cards.size() < 2
            ? command.room().chunks()
            : Math.max(LEAST_CHUNKS, Math.ceilDiv(command.room().chunks(), cards.size()));
    for (CardDecoder card : cards) {
      long bytes = card.stays() ? bytes(card.address()) : 0;
      seats.add(new Seat(card, new Budget(new BudgetSize(chunks, bytes))));
    }
  }

  /** Half of what is free now, or a little where no driver tells. */
  private static long bytes(HardwareAddress card) {
    try {
      OptionalLong free = Hardware.freeBytes(card.api(), card.device());
      return free.isPresent() ? free.getAsLong() / SHARE : UNTOLD;
    } catch (AvException unusable) {
      // The decoder will say so.
      return 0;
    }
  }

  /** A card for a pump that starts; empty for the processor. */
  synchronized Optional<Seat> take() {
    Optional<Seat> least =
        seats.stream()
            .min(Comparator.comparingDouble(seat -> (double) seat.pumps / seat.card.sessions()));
    least.ifPresent(seat -> seat.pumps++);
    return least;
  }

  /** A pump has ended. */
  synchronized void give(Seat seat) {
    seat.pumps--;
  }

  /** Ends all waiting. */
  void close() {
    seats.forEach(seat -> seat.room.close());
  }
}
