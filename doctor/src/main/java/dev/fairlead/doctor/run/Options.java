package dev.fairlead.doctor.run;

/**
 * How much is looked at.
 *
 * @param thorough whether what others may notice is done, too
 * @param evenIfBusy whether that is done on a card that others use at present
 */
public record Options(boolean thorough, boolean evenIfBusy) {}
