package dev.fairlead.simulator.workload;

import java.util.List;

/** Work in the order in which it comes; the same from each seed, whatever devices do with it. */
public interface Workload {
  String name();

  /** The kinds of work, one a group. */
  List<String> kinds();

  /** Whether units wait in groups, to be taken by service policies. */
  default boolean isLadder() {
    return kinds().size() > 1;
  }

  /** Whether it is one range whose units are known from the beginning, to be shared out. */
  default boolean isRange() {
    return false;
  }

  /** Work from the beginning, for devices of a total speed. */
  Stream open(long seed, double capacity);

  /** Work that comes. */
  @FunctionalInterface
  interface Stream {
    /** Fills in what comes next; false if that is nothing. Times do not fall. */
    boolean next(Arrival arrival);
  }
}
