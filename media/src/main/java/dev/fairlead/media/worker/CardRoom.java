package dev.fairlead.media.worker;

import dev.fairlead.media.av.AvException;
import dev.fairlead.media.av.Hardware;
import dev.fairlead.media.settings.BudgetSize;
import dev.fairlead.media.settings.HardwareAddress;
import dev.fairlead.media.settings.VideoOrder;
import dev.fairlead.media.wire.Command;
import java.util.OptionalLong;

/** How much of a card's memory decoded pictures may take that stay there. */
final class CardRoom {
  /** The rest is for what encoders and scalers keep, and for others who use the card. */
  private static final int SHARE = 2;

  private CardRoom() {}

  /** What drivers of VAAPI are trusted to have, which do not tell. */
  private static final long UNTOLD = 1L << 30;

  /** Half of what is free now, or a little where no driver tells; none if nothing is to stay. */
  static BudgetSize of(Command.Decode command) {
    VideoOrder order = command.order();
    long bytes = order.stays() ? order.hardware().map(CardRoom::bytes).orElse(0L) : 0;
    return new BudgetSize(command.room().chunks(), bytes);
  }

  private static long bytes(HardwareAddress card) {
    try {
      OptionalLong free = Hardware.freeBytes(card.api(), card.device());
      return free.isPresent() ? free.getAsLong() / SHARE : UNTOLD;
    } catch (AvException unusable) {
      // The decoder will say so.
      return 0;
    }
  }
}
