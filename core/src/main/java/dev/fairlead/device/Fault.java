package dev.fairlead.device;

/**
 * The cause of a failure. Faults of the device and its context, and its loss, change its health;
 * any failure handicaps a device in placement until something succeeds there.
 */
public enum Fault {
  /** The work itself is wrong: it would fail on any device. */
  WORK,
  /** The device had no memory left: try elsewhere, or later. */
  OUT_OF_MEMORY,
  /** The device takes no more users or sessions at present: try elsewhere, or later. */
  BUSY,
  /** The device failed, and may well succeed next time. */
  DEVICE,
  /** The device's context is poisoned: it serves again only once rebuilt. */
  CONTEXT,
  /** The device is gone for good. */
  LOST;

  /** Whether the device has no room now and may well have some later, with no harm done to it. */
  public boolean isLackOfRoom() {
    return this == OUT_OF_MEMORY || this == BUSY;
  }

  /** The fault that an exception names, {@link #WORK} if it names none. */
  public static Fault of(Throwable failure) {
    return failure instanceof DeviceException device ? device.fault() : WORK;
  }
}
