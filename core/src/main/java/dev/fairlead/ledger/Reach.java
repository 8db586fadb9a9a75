package dev.fairlead.ledger;

/**
 * Which devices might run queued work.
 *
 * @param places a bit for each place, modulo 64, whose device might; none if only one could
 * @param openToAll any device of the fleet can, whatever else it holds
 */
public record Reach(long places, boolean openToAll) {}
