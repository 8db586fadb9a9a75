package dev.fairlead.media.worker;

import dev.fairlead.media.av.AvException;
import dev.fairlead.media.av.Hardware;
import dev.fairlead.media.settings.BudgetSize;
import dev.fairlead.media.settings.HardwareAddress;
import dev.fairlead.media.settings.VideoOrder;
import dev.fairlead.media.wire.Command;

/** How much of a card's memory decoded pictures may take that stay there. */
final class CardRoom {
  /** The rest is for what encoders and scalers keep, and for others who use the card. */
  private static final int SHARE = 2;

  private CardRoom() {}

  /** Half of what is free now; nothing where that is not known, or where nothing is to stay. */
  static BudgetSize of(Command.Decode command) {
    VideoOrder order = command.order();
    long free = order.stays() ? order.hardware().map(CardRoom::freeBytes).orElse(0L) : 0;
    return new BudgetSize(command.room().chunks(), free / SHARE);
  }

  private static long freeBytes(HardwareAddress card) {
    try {
      return Hardware.freeBytes(card.api(), card.device());
    } catch (AvException unusable) {
      // The decoder will say so.
      return 0;
    }
  }
}
