package dev.fairlead.simulator.engine;

/** Decides which device runs what: the seam between virtual time and the production rules. */
public interface Discipline {
  /** A task has come. */
  void arrived(int task);

  /** A task has to be placed anew: its device failed it or stopped serving. */
  void again(int task);

  /** A slot of the device is free, after it has done {@code task}. */
  void ended(int task, int device);

  /** A try on the device is over without success, by a failure or because another was first. */
  void failed(int task, int device);

  /** The device serves, or no longer does, or its standing is another. */
  void changed(int device);

  /** The device takes nothing more; what becomes of what it has is told of afterwards. */
  default void shut(int device) {}

  /** News of the device's finished work has come. */
  default void polled(int device) {}

  /** Called now and then. */
  default void look() {}
}
