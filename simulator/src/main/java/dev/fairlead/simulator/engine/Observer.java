package dev.fairlead.simulator.engine;

/** Hears what happens, for a report. Times are nanoseconds from the beginning. */
public interface Observer {
  /** How a stay in a slot ended. */
  enum Ending {
    DONE,
    FAILED,
    /** Another device was first. */
    OVERTAKEN
  }

  /** A task has left a slot. */
  void left(Stay stay, Ending ending);

  /** How many tasks wait now. */
  void waiting(long now, int count);

  /** Time in a slot. */
  record Stay(int device, int slot, int group, long order, long from, long to) {}
}
