package dev.fairlead.simulator.fleet;

/**
 * What a simulated device is like.
 *
 * @param speed how fast each of its slots is: at speed 1, work of cost 1 takes a second
 */
public record DeviceSpec(String name, double speed, Limits limits, Overheads overheads) {
  /** How much fits on the device at a time. */
  public record Limits(int slots, long memoryBytes, int sessions) {
    public static final Limits ONE_SLOT = new Limits(1, Long.MAX_VALUE, Integer.MAX_VALUE);

    public Limits {
      if (slots < 1 || slots > 64) {
        throw new IllegalArgumentException("slots is not between 1 and 64: " + slots);
      }
      if (memoryBytes < 1 || sessions < 1) {
        throw new IllegalArgumentException("memory and sessions are at least 1");
      }
    }
  }

  /**
   * What work costs beside itself, in seconds that do not depend on the device's speed.
   *
   * @param startUp once, with the first item after the device was opened
   * @param item with each item
   * @param transfer for each unit of size
   */
  public record Overheads(double startUp, double item, double transfer) {
    public static final Overheads NONE = new Overheads(0, 0, 0);

    public Overheads {
      if (!(startUp >= 0) || !(item >= 0) || !(transfer >= 0)) {
        throw new IllegalArgumentException("an overhead is negative");
      }
    }
  }

  public DeviceSpec {
    if (!(speed > 0) || Double.isInfinite(speed)) {
      throw new IllegalArgumentException("speed is not a positive number: " + speed);
    }
  }

  /** A device with one slot, without limits and overheads. */
  public static DeviceSpec of(String name, double speed) {
    return new DeviceSpec(name, speed, Limits.ONE_SLOT, Overheads.NONE);
  }

  /** The same with so many slots. */
  public DeviceSpec withSlots(int slots) {
    return new DeviceSpec(
        name, speed, new Limits(slots, limits.memoryBytes, limits.sessions), overheads);
  }

  /** The same; with each item passes so much that does not depend on the device's speed. */
  DeviceSpec withItemSeconds(double seconds) {
    return new DeviceSpec(
        name, speed, limits, new Overheads(overheads.startUp, seconds, overheads.transfer));
  }

  /** What its slots do together. */
  public double capacity() {
    return speed * limits.slots();
  }

  /** Whether it can be too full for work to stand in its line. */
  public boolean isLimited() {
    return limits.memoryBytes() < Long.MAX_VALUE || limits.sessions() < Integer.MAX_VALUE;
  }

  DeviceSpec named(String value) {
    return new DeviceSpec(value, speed, limits, overheads);
  }
}
