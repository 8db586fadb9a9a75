package dev.fairlead.units;

import dev.fairlead.device.Device;

/**
 * What a unit reads, by where that is. Units of several groups may share one. The thread of the
 * unit queue asks, and asks often.
 */
public interface UnitInput {
  /** Predicted seconds that it takes to bring it to the device; zero where it is. */
  double secondsTo(Device device);

  /** The device is given a unit that reads this: from now on it is there as well. */
  void takenBy(Device device);

  /** Something that every device reaches alike. */
  static UnitInput everywhere() {
    return Everywhere.ONE;
  }

  /** The usual one. */
  enum Everywhere implements UnitInput {
    ONE;

    @Override
    public double secondsTo(Device device) {
      return 0;
    }

    @Override
    public void takenBy(Device device) {
      // It was there before.
    }
  }
}
