package dev.fairlead.units;

import dev.fairlead.device.Device;
import dev.fairlead.device.DeviceId;
import dev.fairlead.outcome.Outcome;

/**
 * Takes what happens in a unit queue, event by event, on a thread of the queue's own. A listener
 * that throws harms nothing: its exception goes to that thread's uncaught exception handler.
 */
@FunctionalInterface
public interface UnitListener {
  /** Something that happened. */
  sealed interface Event {
    /**
     * A unit has begun to run.
     *
     * @param why it was given to this device
     */
    record Started(UnitTask<?> unit, Device device, Assignment why) implements Event {}

    /**
     * A unit has to run again, and this is why. That a device takes no more at present is reported
     * once, until something has succeeded there.
     */
    record Requeued(UnitTask<?> unit, Device device, Throwable reason) implements Event {}

    /**
     * The work of a unit could not run now ({@link NotNow}): it waits for what it needs, and the
     * device takes others. Nothing has failed.
     */
    record SetAside(UnitTask<?> unit, Device device, String reason) implements Event {}

    /** A unit is over: committed, condemned or cancelled. */
    record Ended(UnitTask<?> unit, Outcome<?> outcome) implements Event {}

    /** A device does not serve a group any more. */
    record StruckOff(int group, DeviceId device, String reason) implements Event {}
  }

  void on(Event event);

  static UnitListener none() {
    return event -> {};
  }
}
