package dev.fairlead.units;

/**
 * A result that says for how much of the time its device worked. Without one, costs are learned
 * from how long the device was held, the time included in which it waited for something else.
 */
public interface TimedResult {
  /** The part of the time that the work took in which the device worked: above 0, at most 1. */
  double workedShare();

  /** The part of what the demand asked for that there was to do, such as of a short last chunk. */
  default double sizeShare() {
    return 1;
  }
}
